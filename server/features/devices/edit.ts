import type { Context } from '../../context.ts';
import type { Changes, Row, Trx } from '../../db/schema.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { writeAudit, type AuditEntry } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { deviceHistory } from '../../kernel/devices/history.ts';
import { deviceSearchText } from '../../kernel/devices/search-text.ts';
import { AppError, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';

export interface DeviceChange {
  id: number;
  name?: string;
  description?: string;
}

type Found = Row<'devices'> & { company_path: string };

async function findForEdit(trx: Trx, ctx: Context, actor: Actor, ids: readonly number[]): Promise<Map<number, Found>> {
  const rows = await trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .select('companies.path as company_path')
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function assertAllFound(
  found: Map<number, Found>,
  changes: readonly DeviceChange[],
  sourceOf: (index: number) => string | undefined,
): void {
  const missing = changes.flatMap((change, index) => (found.has(change.id) ? [] : [sourceOf(index)]));
  const [first, ...rest] = missing.map((source) => new NotFound({}, source === undefined ? {} : { source }).items[0]);
  if (first) throw new AppError([{ ...first, code: 'NOT_FOUND' }, ...rest.flatMap((item) => item ?? [])]);
}

async function applyChange(ctx: Context, trx: Trx, before: Found, change: DeviceChange, at: number): Promise<AuditEntry | undefined> {
  const { company_path: path, ...row } = before;
  const changes: Changes<'devices'> = { name: change.name ?? row.name, description: change.description ?? row.description };
  if (changes.name === row.name && changes.description === row.description) return undefined;
  const after = { ...row, name: changes.name ?? row.name, description: changes.description ?? row.description, updated_at: at };
  await trx
    .updateTable('devices')
    .set({ name: after.name, description: after.description, search_text: deviceSearchText(after), updated_at: at })
    .where('id', '=', row.id)
    .execute();
  const { id, company_id } = row;
  afterCommit(trx, () =>
    ctx.live.publishBelow(path, 'devices', 'DeviceChanged', { id, company_id, name: after.name, description: after.description || null }),
  );
  return {
    action: 'devices.edit',
    entity: 'device',
    entityId: id,
    entityName: after.name,
    companyId: company_id,
    before: deviceHistory(row),
    after: deviceHistory(after),
  };
}

/**
 * Changes names and descriptions, of all the devices or of none. Throws NOT_FOUND for each device that is not there,
 * at the place that `sourceOf` gives for its index.
 */
export async function editDevices(
  ctx: Context,
  { actor, origin }: { actor: Actor; origin: Origin },
  changes: readonly DeviceChange[],
  sourceOf: (index: number) => string | undefined,
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const found = await findForEdit(
      trx,
      ctx,
      actor,
      changes.map((change) => change.id),
    );
    assertAllFound(found, changes, sourceOf);
    const entries: AuditEntry[] = [];
    for (const change of changes) {
      const device = found.get(change.id);
      const entry = device && (await applyChange(ctx, trx, device, change, at));
      if (entry) entries.push(entry);
    }
    await writeAudit(trx, { actor, origin, at }, entries);
  });
}
