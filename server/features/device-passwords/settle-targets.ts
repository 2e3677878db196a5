import type { Context } from '../../context.ts';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import type { EndedTarget } from '../../domain/jobs/types.ts';
import { isPasswordFacts, type PasswordInput } from './password-input.ts';

/** The most values of which a password may be one; beyond that the oldest go. */
const MOST_VALUES = 20;

interface Ended {
  deviceId: number;
  state: EndedTarget['state'];
  sealed: string;
}

async function readEnded(ctx: Context, trx: Trx, targets: readonly EndedTarget[]): Promise<Ended[]> {
  const rows = await trx
    .selectFrom('job_targets')
    .select(['id', 'facts'])
    .where('id', 'in', ctx.database.tools.idList(targets.map(({ id }) => id)))
    .execute();
  const factsOf = new Map(rows.map(({ id, facts }) => [id, facts]));
  return targets.flatMap(({ id, device_id, state }) => {
    const facts: unknown = JSON.parse(factsOf.get(id) ?? 'null');
    return isPasswordFacts(facts) ? [{ deviceId: device_id, state, sealed: facts.sealed }] : [];
  });
}

/** The row of the vault for a user of a device; made when there is none. */
async function vaultRow(trx: Trx, row: NewRow<'device_passwords'>): Promise<number> {
  const { is_proven, changed_at, job_id } = row;
  const { id } = await trx
    .insertInto('device_passwords')
    .values(row)
    .onConflict((conflict) => conflict.columns(['device_id', 'username']).doUpdateSet({ is_proven, changed_at, job_id }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function dropOldValues(trx: Trx, passwordId: number): Promise<void> {
  const oldest = await trx
    .selectFrom('device_password_values')
    .select('id')
    .where('password_id', '=', passwordId)
    .orderBy('id', 'desc')
    .offset(MOST_VALUES)
    .limit(1)
    .executeTakeFirst();
  if (oldest) await trx.deleteFrom('device_password_values').where('password_id', '=', passwordId).where('id', '<=', oldest.id).execute();
}

/** A proven value takes the place of all others; one that may be in force is kept beside them. */
async function keepInVault(ctx: Context, trx: Trx, job: Row<'jobs'>, username: string, { deviceId, state, sealed }: Ended): Promise<void> {
  const at = ctx.clock.now();
  const isProven = state === 'ok';
  const row = { device_id: deviceId, username, is_proven: isProven ? 1 : 0, changed_at: at, job_id: job.id } as const;
  const id = await vaultRow(trx, row);
  const values = trx.deleteFrom('device_password_values').where('password_id', '=', id);
  await (isProven ? values : values.where('sealed_value', '=', sealed)).execute();
  await trx.insertInto('device_password_values').values({ password_id: id, sealed_value: sealed, created_at: at }).execute();
  await dropOldValues(trx, id);
}

/** What the vault has of users whose passwords were changed past it: of no use any more, or one of several. */
async function correctVault(ctx: Context, trx: Trx, username: string, ended: readonly Ended[]): Promise<void> {
  const idsOf = (isOk: boolean) =>
    ctx.database.tools.idList(ended.filter(({ state }) => (state === 'ok') === isOk).map((one) => one.deviceId));
  await trx.deleteFrom('device_passwords').where('username', '=', username).where('device_id', 'in', idsOf(true)).execute();
  await trx
    .updateTable('device_passwords')
    .set({ is_proven: 0, changed_at: ctx.clock.now() })
    .where('username', '=', username)
    .where('device_id', 'in', idsOf(false))
    .execute();
}

async function putOnList(ctx: Context, trx: Trx, job: Row<'jobs'>, username: string, ended: readonly Ended[]): Promise<void> {
  const devices = await trx
    .selectFrom('devices')
    .select(['id', 'name', 'serial', 'mac'])
    .where('id', 'in', ctx.database.tools.idList(ended.map(({ deviceId }) => deviceId)))
    .execute();
  const byId = new Map(devices.map((device) => [device.id, device]));
  const items = ended.flatMap(({ deviceId, state, sealed }): NewRow<'password_list_items'>[] => {
    const device = byId.get(deviceId);
    if (!device) return [];
    const { name: device_name, serial, mac } = device;
    return [{ job_id: job.id, device_id: deviceId, device_name, serial, mac, username, state, sealed_value: sealed }];
  });
  if (items.length > 0) await trx.insertInto('password_list_items').values(items).execute();
}

/** The list of a job that is made. */
export async function beginList(trx: Trx, job: Row<'jobs'>): Promise<void> {
  const { keep } = JSON.parse(job.input) as PasswordInput;
  if (!keep.includes('list')) return;
  await trx.insertInto('password_lists').values({ job_id: job.id, created_at: job.created_at, ended_at: null, end_reason: null }).execute();
}

/** Keeps the passwords of devices that have answered, or did not, where the job says, and nowhere else. */
export async function settleTargets(
  trx: Trx,
  { ctx, job, targets }: { ctx: Context; job: Row<'jobs'>; targets: readonly EndedTarget[] },
): Promise<void> {
  const { keep, user } = JSON.parse(job.input) as PasswordInput;
  const ended = await readEnded(ctx, trx, targets);
  if (ended.length === 0) return;
  if (keep.includes('vault')) for (const one of ended) await keepInVault(ctx, trx, job, user, one);
  else await correctVault(ctx, trx, user, ended);
  if (keep.includes('list')) await putOnList(ctx, trx, job, user, ended);
  await trx
    .updateTable('job_targets')
    .set({ facts: null })
    .where('id', 'in', ctx.database.tools.idList(targets.map(({ id }) => id)))
    .execute();
}
