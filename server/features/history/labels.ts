import type { HistoryEntry } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** Members of kept records that are ids, and the table whose names people know them by. */
const NAMED: Readonly<Record<string, 'companies' | 'tags'>> = { company_id: 'companies', parent_id: 'companies', tag_id: 'tags' };

type Kept = Pick<HistoryEntry, 'before' | 'after'>;

/** The ids in both records of an entry, as member and id. */
function idsIn({ before, after }: Kept): { member: string; id: number }[] {
  return [before, after].flatMap((record) =>
    Object.entries(record ?? {}).flatMap(([member, value]) => {
      if (!(member in NAMED)) return [];
      const values: unknown[] = Array.isArray(value) ? value : [value];
      return values.flatMap((id) => (typeof id === 'number' ? [{ member, id }] : []));
    }),
  );
}

/** Adds the present names of the companies and tags that entries speak of, as far as the reader sees them: `company_id:7` → its name. */
export async function addLabels<E extends Kept>(
  db: Db,
  actor: Actor,
  entries: readonly E[],
): Promise<(E & { labels: Record<string, string> })[]> {
  const found = entries.flatMap(idsIn);
  const namesOf = async (table: 'companies' | 'tags'): Promise<Map<number, string>> => {
    const ids = [...new Set(found.filter(({ member }) => NAMED[member] === table).map(({ id }) => id))];
    if (ids.length === 0 || !can(actor, `view_${table}`)) return new Map();
    const rows = await db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).where(isVisible(actor, table)).execute();
    return new Map(rows.map((row) => [row.id, row.name]));
  };
  const names = { companies: await namesOf('companies'), tags: await namesOf('tags') };
  return entries.map((entry) => {
    const labels = idsIn(entry).flatMap(({ member, id }) => {
      const name = names[NAMED[member] ?? 'companies'].get(id);
      return name === undefined ? [] : [[`${member}:${id}`, name] as const];
    });
    return { ...entry, labels: Object.fromEntries(labels) };
  });
}
