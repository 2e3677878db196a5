import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from '../../db/schema.ts';

type Values = Readonly<Record<string, number | string | readonly number[]>>;

/** Stands for a value while its query is compiled. */
class Place {
  readonly name: string;
  readonly index: number | undefined;

  constructor(name: string, index?: number) {
    this.name = name;
    this.index = index;
  }
}

function placesOf(values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((_, index) => new Place(name, index)) : new Place(name),
    ]),
  );
}

/** A list makes another text for each number of its members. */
function shapeOf(values: Values): string {
  let shape = '';
  for (const value of Object.values(values)) if (typeof value === 'object') shape += `${value.length},`;
  return shape;
}

function valueAt(values: Values, parameter: unknown): unknown {
  if (!(parameter instanceof Place)) return parameter;
  const value = values[parameter.name];
  return parameter.index === undefined || typeof value !== 'object' ? value : value[parameter.index];
}

/**
 * A query that every call of the server makes: built and compiled the first time only, which takes longer than running it. `build` may use the
 * values as such alone, never look at them; lists are short ones, such as the ids of a path. Answers the rows.
 */
export function compiledOnce<V extends Values, R>(build: (db: Db, values: V) => Compilable<R>): (db: Db, values: V) => Promise<R[]> {
  // By the database's adapter: a transaction has that of its database.
  const known = new WeakMap<object, Map<string, CompiledQuery<R>>>();
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    const shapes = known.get(adapter) ?? new Map<string, CompiledQuery<R>>();
    known.set(adapter, shapes);
    const shape = shapeOf(values);
    const compiled = shapes.get(shape) ?? build(db, placesOf(values) as V).compile();
    shapes.set(shape, compiled);
    const { rows } = await db.executeQuery<R>({
      ...compiled,
      parameters: compiled.parameters.map((parameter) => valueAt(values, parameter)),
    });
    return rows;
  };
}
