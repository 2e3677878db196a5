import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { inBuckets, type Buckets } from './value-buckets.ts';

/** What of jobs counts as waiting: devices have not answered yet. */
const WAITING = ['queued', 'sent', 'running'] as const;
const FIRMWARE_KINDS = ['update_firmware', 'update_devices'] as const;
const CONFIGURATION_KINDS = ['upload_backup', 'update_devices'] as const;

/** The devices for which a job of these kinds waits or runs. Jobs under way are few, so they are asked first. */
function withJob(kinds: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`devices.id in (select job_targets.device_id from jobs inner join job_targets on job_targets.job_id = jobs.id
    where jobs.state in ('queued', 'running') and jobs.kind in (${sql.join(kinds)}) and job_targets.state in (${sql.join(WAITING)}))`;
}

/** Devices by the updates that they wait for. One that waits for both is in two groups. */
export function taskBuckets(): Buckets {
  return {
    pending_firmware: withJob(FIRMWARE_KINDS),
    pending_configuration: withJob(CONFIGURATION_KINDS),
    no_pending_task: sql<SqlBool>`not ${withJob([...new Set([...FIRMWARE_KINDS, ...CONFIGURATION_KINDS])])}`,
  };
}

/** The list's filter by updates that devices wait for. */
export function hasTask(values: readonly string[]): Expression<SqlBool> {
  return inBuckets(taskBuckets(), values);
}
