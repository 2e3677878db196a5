import { Type, type TSchema } from './type.ts';
import { visibleFields, readListQuery, type ListRules } from './list-query.ts';
import { ok } from './answer.ts';
import { languageOfCall } from './language.ts';
import { isProgram } from './lenient-calls.ts';
import { route, type App, type ListSpec } from './route.ts';

/** Only the asked and allowed members of a record; `custom.asset_number` is that member of `custom`. */
export function pickFields<R extends object>(record: R, fields: readonly string[]): Partial<R> {
  const picked: Partial<R> = {};
  for (const field of fields) {
    if (field in record) picked[field as keyof R] = record[field as keyof R];
    else if (field.includes('.')) pickInside(record, picked, field);
  }
  return picked;
}

function pickInside(record: object, picked: object, path: string): void {
  const at = path.indexOf('.');
  const [group, name] = [path.slice(0, at), path.slice(at + 1)];
  const from: unknown = Reflect.get(record, group);
  if (typeof from !== 'object' || from === null || !Object.hasOwn(from, name)) return;
  const into: unknown = Reflect.get(picked, group);
  Reflect.set(picked, group, { ...(typeof into === 'object' ? into : {}), [name]: Reflect.get(from, name) });
}

const filterText = Type.String({
  description: String.raw`Values separated by commas. A comma within a value is written \,: Sprint\, Inc.,Telia`,
});

const fieldsOnly = Type.String({
  description: 'With it, `data` is the names of the members that the caller may read, in place of records.',
});

/** The query parameters of a list. */
export function describeQuery(rules: ListRules) {
  const filters = [...rules.filters].flatMap(([key, rule]) => [key, ...(rule.isNegatable ? [`ne:${key}`] : [])]);
  const names = ['limit', 'offset', ...(rules.isSearchable ? ['q'] : []), 'sort', 'id', 'fields', 'fields_only', ...filters];
  const typeOf = (name: string) => (filters.includes(name) ? filterText : name === 'fields_only' ? fieldsOnly : Type.String());
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(typeOf(name))])));
}

/** The rules of a list for programs that may ask for more members of a record. */
export function rulesWith(rules: ListRules, fields: readonly string[]): ListRules {
  return { ...rules, fields: new Map([...fields.map((field) => [field, undefined] as const), ...rules.fields]) };
}

/** Registers the list call of a resource: `limit offset q sort fields id`, filters and `ne:` filters, `meta.total`. */
export function listRoute<R extends object, P extends TSchema>(app: App, spec: ListSpec<R, P>): void {
  // Read only by those who know its records: `params` are those of its own route.
  app.lists.push(spec as unknown as ListSpec<object>);
  const rulesOfPrograms = spec.documented ? rulesWith(spec.rules, spec.documented.fields) : spec.rules;
  route(app, {
    method: 'GET',
    path: spec.path,
    access: spec.access,
    summary: spec.summary,
    tag: spec.tag,
    ...(spec.params ? { params: spec.params } : {}),
    ...(spec.tokens ? { tokens: spec.tokens } : {}),
    ...(spec.documented?.types ? { programs: { types: spec.documented.types } } : {}),
    query: describeQuery(spec.rules),
    hasOwnQueryCheck: true,
    async handler({ ctx, actor, params, request, reply }) {
      const raw = request.query as { [name: string]: unknown };
      const documented = isProgram(actor) ? spec.documented : undefined;
      const rules = documented ? rulesOfPrograms : spec.rules;
      const allowed = visibleFields(rules, actor);
      if (raw['fields_only'] !== undefined) return ok(allowed);
      const query = readListQuery(rules, { actor, reply }, raw);
      const { rows: found, total } = await spec.list(ctx, actor, query, params, languageOfCall(request.headers));
      const rows = documented ? await documented.extend(ctx, actor, found) : found;
      const isWhole = query.fields === undefined && allowed.length === rules.fields.size;
      const meta = { total, ...(documented?.total === undefined ? {} : { [documented.total]: total }) };
      return ok(isWhole ? rows : rows.map((row) => pickFields(row, query.fields ?? allowed)), meta);
    },
  });
}
