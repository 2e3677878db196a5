import { sql, type Expression, type SqlBool } from 'kysely';
import type { FormData, TerminalKey } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

type KeyRow = Row<'terminal_keys'>;
type Input = FormData['remote-access/new-key'];

const MOST_OWN = 100;

const columns: ListColumns = {
  id: sql.ref('terminal_keys.id'),
  sorts: {
    id: { by: sql.ref('terminal_keys.id') },
    label: byText('terminal_keys.label'),
    user_name: byText('terminal_keys.user_name'),
  },
  filters: {},
  search: (text) => containsText([sql.ref('terminal_keys.label'), sql.ref('terminal_keys.text')], text),
};

/** The condition "this key is the actor's own, or shared in a company that the actor sees". */
const isForActor = (actor: Actor): Expression<SqlBool> =>
  sql<SqlBool>`(terminal_keys.user_id = ${actor.userId} or (terminal_keys.is_shared = 1 and ${isVisible(actor, 'terminal_keys')}))`;

/** Who made a key changes it; a shared one also who manages remote access. */
const canEdit = (actor: Actor, row: KeyRow): boolean => row.user_id === actor.userId || can(actor, 'update_device_remote_access');

const present = (actor: Actor, row: KeyRow): TerminalKey => ({
  id: row.id,
  label: row.label,
  text: row.text,
  presses_enter: row.presses_enter === 1,
  is_shared: row.is_shared === 1,
  can_edit: canEdit(actor, row),
  user_name: row.user_name,
  updated_at: wireTime(row.updated_at),
});

/** One page of the keys that the actor may press. */
export async function listKeys(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: TerminalKey[]; total: number }> {
  const { rows, total } = await applyListQuery(
    db.selectFrom('terminal_keys').selectAll('terminal_keys').where(isForActor(actor)),
    query,
    columns,
  );
  return { rows: rows.map((row) => present(actor, row)), total };
}

async function requireKey(db: Db, actor: Actor, id: number): Promise<KeyRow> {
  const row = await db.selectFrom('terminal_keys').selectAll().where('id', '=', id).where(isForActor(actor)).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** One key. Throws NOT_FOUND. */
export async function getKey(db: Db, actor: Actor, id: number): Promise<TerminalKey> {
  return present(actor, await requireKey(db, actor, id));
}

/** History is for what others see too: a key of one's own is a setting of the console. */
async function record(trx: Trx, { actor, origin }: Caller, verb: string, before: KeyRow | null, after: KeyRow | null): Promise<void> {
  const row = after ?? before;
  if (!row || ![before, after].some((side) => side?.is_shared === 1)) return;
  await writeAudit(trx, { actor, origin, at: row.updated_at }, [
    {
      action: `terminal-keys.${verb}`,
      entity: 'terminal_key',
      entityId: row.id,
      entityName: row.label,
      companyId: row.company_id,
      before: before && { ...before },
      after: after && { ...after },
    },
  ]);
}

const valuesOf = ({ label, text, presses_enter: enter, is_shared: shared }: Input) => ({
  label,
  text,
  presses_enter: enter === false ? (0 as const) : (1 as const),
  is_shared: shared === true ? (1 as const) : (0 as const),
});

/** Adds a key. Throws INVALID_FIELD at `label` for one too many. */
export async function addKey(ctx: Context, caller: Caller, input: Input): Promise<number> {
  const { actor } = caller;
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const own = trx.selectFrom('terminal_keys').where('user_id', '=', actor.userId);
    const { count } = await own.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
    if (Number(count) >= MOST_OWN)
      throw new InvalidFields([
        {
          source: 'label',
          message: `At most ${MOST_OWN} keys are kept.`,
          params: { key: 'forms.remote-access.too_many_keys', max: MOST_OWN },
        },
      ]);
    const row = await trx
      .insertInto('terminal_keys')
      .values({
        ...valuesOf(input),
        user_id: actor.userId,
        company_id: actor.companyId,
        user_name: actor.name,
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, caller, 'new', null, row);
    return row.id;
  });
}

async function requireEditable(trx: Trx, actor: Actor, id: number): Promise<KeyRow> {
  const row = await requireKey(trx, actor, id);
  if (!canEdit(actor, row)) throw new Forbidden({});
  return row;
}

/** Changes a key. Throws NOT_FOUND, FORBIDDEN for those of others without the right to manage remote access. */
export async function editKey(ctx: Context, caller: Caller, id: number, input: Input): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireEditable(trx, caller.actor, id);
    const after = await trx
      .updateTable('terminal_keys')
      .set({ ...valuesOf(input), updated_at: ctx.clock.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, caller, 'edit', before, after);
  });
}

/** Removes a key. Throws NOT_FOUND, FORBIDDEN for those of others without the right to manage remote access. */
export async function removeKey(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireEditable(trx, caller.actor, id);
    await trx.deleteFrom('terminal_keys').where('id', '=', id).execute();
    await record(trx, caller, 'remove', row, null);
  });
}
