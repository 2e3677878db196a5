import type { Context } from '../../context.ts';
import type { Kinds } from './kinds.ts';
import { isDeviceKind, stepsOf } from './steps.ts';
import type { OpenCommand } from './types.ts';

/** The command with this id while this device is at it and its time lasts; undefined for anything else. */
export async function findOpenCommand(ctx: Context, kinds: Kinds, deviceId: number, commandId: string): Promise<OpenCommand | undefined> {
  const target = await ctx.db
    .selectFrom('job_targets')
    .selectAll()
    .where('command_id', '=', commandId)
    .where('device_id', '=', deviceId)
    .where('state', 'in', ['sent', 'running'])
    .where('deadline_at', '>', ctx.clock.now())
    .executeTakeFirst();
  if (!target) return undefined;
  const job = await ctx.db.selectFrom('jobs').selectAll().where('id', '=', target.job_id).executeTakeFirst();
  const device = await ctx.db
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .select('companies.name as company_name')
    .where('devices.id', '=', deviceId)
    .executeTakeFirst();
  const kind = job && kinds.find(job.kind);
  if (!job || !device || !isDeviceKind(kind)) return undefined;
  const steps = stepsOf(kind, JSON.parse(job.input), device, target);
  return { job, target, device, step: steps[target.step] ?? steps[0] };
}
