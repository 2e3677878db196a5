import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const GIGABYTE = 1024 ** 3;

type SimRow = Row<'sims'>;

/** SIMs that the actor sees, in the order of the ids. Throws NOT_FOUND at the first that is none of them. */
async function requireSims(
  db: Db,
  actor: Actor,
  ids: readonly number[],
  sourceOf: (index: number) => string | undefined,
): Promise<SimRow[]> {
  const rows = await db.selectFrom('sims').selectAll().where('id', 'in', ids).where(isVisible(actor, 'sims')).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].map((id, index) => {
    const row = byId.get(id);
    const source = sourceOf(index);
    if (!row) throw new NotFound({}, source === undefined ? {} : { source });
    return row;
  });
}

const limitOf = (limitGb: number | undefined): number | null => (limitGb === undefined ? null : Math.round(limitGb * GIGABYTE));

const keptOf = ({ phone_number, note, limit_bytes, starts_on }: SimRow) => ({ phone_number, note, limit_bytes, starts_on });

async function write(trx: Trx, caller: Caller, at: number, pairs: readonly (readonly [SimRow, SimRow])[]): Promise<void> {
  const changed = pairs.filter(([before, after]) => JSON.stringify(keptOf(before)) !== JSON.stringify(keptOf(after)));
  for (const [, after] of changed) await trx.updateTable('sims').set(keptOf(after)).where('id', '=', after.id).execute();
  await writeAudit(
    trx,
    { ...caller, at },
    changed.map(([before, after]) => ({
      action: 'sims.edit',
      entity: 'sim',
      entityId: after.id,
      entityName: after.iccid,
      companyId: after.company_id,
      before: keptOf(before),
      after: keptOf(after),
    })),
  );
}

/** Changes what people note of a SIM. Throws NOT_FOUND. */
export async function editSim(ctx: Context, caller: Caller, id: number, input: FormData['sims/edit']): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const [before] = await requireSims(trx, caller.actor, [id], () => undefined);
    if (!before) throw new NotFound({});
    const { phone_number = '', note = '', limit_gb, starts_on } = input;
    await write(trx, caller, at, [[before, { ...before, phone_number, note, limit_bytes: limitOf(limit_gb), starts_on }]]);
  });
}

/** Sets how much data each of these SIMs may use in a month; without `limit_gb` there is no limit. Throws NOT_FOUND at `sim_id.<index>`. */
export async function setLimits(
  ctx: Context,
  caller: Caller,
  { sim_id: ids, limit_gb, starts_on }: FormData['sims/limit'],
): Promise<number> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const rows = await requireSims(trx, caller.actor, ids, (index) => `sim_id.${index}`);
    await write(trx, caller, at, rows.map((row) => [row, { ...row, limit_bytes: limitOf(limit_gb), starts_on }] as const)); // prettier-ignore
    return rows.length;
  });
}

/** Takes a SIM that is in no device off the list; it is back when a device reports it. Throws NOT_FOUND, INVALID_FIELD while a device holds it. */
export async function removeSim(ctx: Context, caller: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const [before] = await requireSims(trx, caller.actor, [id], () => undefined);
    if (!before) throw new NotFound({});
    const holder =
      before.device_id === null
        ? undefined
        : await trx
            .selectFrom('devices')
            .select('devices.id')
            .where('devices.id', '=', before.device_id)
            .where(isVisible(caller.actor, 'devices'))
            .executeTakeFirst();
    if (holder) throw new InvalidFields([{ source: 'id', message: 'The SIM is in a device.', params: { key: 'forms.sims.remove.held' } }]);
    await trx.deleteFrom('sims').where('id', '=', id).execute();
    const entry = { action: 'sims.remove', entity: 'sim', entityId: id, entityName: before.iccid, companyId: before.company_id };
    await writeAudit(trx, { ...caller, at }, [{ ...entry, before: keptOf(before), after: null }]);
  });
}
