import type { Context } from '../../context.ts';
import { requirePermission, type Actor, type Caller } from '../../kernel/actor.ts';
import type { CheckedDevice } from './rows.ts';

const wants = ({ config }: Pick<Context, 'config'>, row: CheckedDevice): boolean => config.hasResources && row.auto_credit_enable === true;

/** Throws FORBIDDEN when a credit is wanted for one of these and the actor may give none. */
export function assertMayCredit(ctx: Context, actor: Actor, rows: readonly CheckedDevice[]): void {
  if (rows.some((row) => wants(ctx, row))) requirePermission(actor, 'update_device_credit_status');
}

/**
 * Reserves a credit for those of the added devices that want one, as a job: those that there is no credit for are added all the same, and the job names
 * them. `ids`: of the devices, in the order of the rows.
 */
export async function reserveCredits(
  ctx: Context,
  { actor, origin }: Caller,
  rows: readonly CheckedDevice[],
  ids: readonly number[],
): Promise<{ job_id: number; channel: string } | undefined> {
  const wanted = rows.flatMap((row, place) => (wants(ctx, row) ? (ids[place] ?? []) : []));
  if (wanted.length === 0) return undefined;
  const input = { typeId: 'any', isExtended: true };
  const { jobId, channel } = await ctx.jobs.create(actor, origin, { kind: 'credit', input, target: { device_id: wanted } });
  return { job_id: jobId, channel };
}
