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

/** The names of the companies and tags that entries speak of, of those in the reader's sight, by member and id. */
async function findNames(db: Db, actor: Actor, entries: readonly Kept[]): Promise<(member: string, id: number) => string | undefined> {
  const found = entries.flatMap(idsIn);
  const namesOf = async (table: 'companies' | 'tags'): Promise<Map<number, string>> => {
    const ids = [...new Set(found.filter(({ member }) => NAMED[member] === table).map(({ id }) => id))];
    if (ids.length === 0) return new Map();
    const rows = await db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).where(isVisible(actor, table)).execute();
    return new Map(rows.map((row) => [row.id, row.name]));
  };
  const names = { companies: await namesOf('companies'), tags: await namesOf('tags') };
  return (member, id) => names[NAMED[member] ?? 'companies'].get(id);
}

/** A record without the ids that the reader does not see: where a device or company went or came from is hidden from those who see only one end. */
function withoutUnseen<R extends Kept['before']>(record: R, isSeen: (member: string, id: number) => boolean): R | Record<string, unknown> {
  if (!record) return record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([member, value]): [string, unknown][] => {
      if (!(member in NAMED)) return [[member, value]];
      if (Array.isArray(value)) return [[member, value.filter((id: unknown) => typeof id !== 'number' || isSeen(member, id))]];
      return typeof value === 'number' && !isSeen(member, value) ? [] : [[member, value]];
    }),
  );
}

/** Entries as the reader may see them, with the present names of the companies and tags that they speak of: `company_id:7` → its name. */
export async function addLabels<E extends Kept>(
  db: Db,
  actor: Actor,
  entries: readonly E[],
): Promise<(E & { labels: Record<string, string> })[]> {
  const nameOf = await findNames(db, actor, entries);
  const isSeen = (member: string, id: number): boolean => nameOf(member, id) !== undefined;
  return entries.map((entry) => {
    const labels = idsIn(entry).flatMap(({ member, id }) => {
      const name = can(actor, `view_${NAMED[member] ?? 'companies'}`) ? nameOf(member, id) : undefined;
      return name === undefined ? [] : [[`${member}:${id}`, name] as const];
    });
    return {
      ...entry,
      before: withoutUnseen(entry.before, isSeen),
      after: withoutUnseen(entry.after, isSeen),
      labels: Object.fromEntries(labels),
    };
  });
}
