import { sql, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { SECOND } from '../../kernel/clock.ts';

/** A process that does not renew within this time is taken for dead. */
export const LEASE_MS = 20 * SECOND;
const JOBS_AT_ONCE = 50;

type Claimed = Pick<Row<'jobs'>, 'id' | 'state'>;

/** Takes jobs that nobody works on and whose time has come; cancelled ones at once. Two processes never get the same one. */
export async function claimJobs(ctx: Context, owner: string): Promise<Claimed[]> {
  const now = ctx.clock.now();
  const isDue = sql<SqlBool>`(starts_at is null or starts_at <= ${now} or cancel_requested_at is not null)`;
  const free = ctx.reads
    .selectFrom('jobs')
    .select(['id', 'state'])
    .where('state', 'in', ['queued', 'running'])
    .where((eb) => eb.or([eb('lease_owner', 'is', null), eb('lease_until', '<', now)]))
    .where(isDue)
    .orderBy('id')
    .limit(JOBS_AT_ONCE);
  // A read before the transaction: nearly always there is nothing to take.
  if ((await free.execute()).length === 0) return [];
  return ctx.db.transaction().execute(async (trx) => {
    let query = trx
      .selectFrom('jobs')
      .select(['id', 'state'])
      .where('state', 'in', ['queued', 'running'])
      .where((eb) => eb.or([eb('lease_owner', 'is', null), eb('lease_until', '<', now)]))
      .where(isDue)
      .orderBy('id')
      .limit(JOBS_AT_ONCE);
    if (ctx.database.tools.kind === 'postgres') query = query.forUpdate().skipLocked();
    const jobs = await query.execute();
    if (jobs.length === 0) return [];
    const ids = jobs.map((job) => job.id);
    await trx
      .updateTable('jobs')
      .set({ lease_owner: owner, lease_until: now + LEASE_MS })
      .where('id', 'in', ids)
      .execute();
    return jobs;
  });
}

/** Says that this process is alive and works on these jobs; returns the ones that are still its own. */
export async function renewLeases(ctx: Context, owner: string, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await ctx.db
    .updateTable('jobs')
    .set({ lease_until: ctx.clock.now() + LEASE_MS })
    .where('id', 'in', ids)
    .where('lease_owner', '=', owner)
    .returning('id')
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Gives jobs back: those of one owner, or of everybody. */
export async function releaseJobs(ctx: Context, owner: string | undefined): Promise<void> {
  let query = ctx.db.updateTable('jobs').set({ lease_owner: null, lease_until: null }).where('state', 'in', ['queued', 'running']);
  if (owner !== undefined) query = query.where('lease_owner', '=', owner);
  await query.execute();
}
