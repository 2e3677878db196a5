import { sql, type RawBuilder } from 'kysely';
import type { Job } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { DAY, HOUR, MINUTE, wireTime } from '../../kernel/clock.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import { presentJob } from '../../domain/jobs/present-job.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { MOST_ROWS, readPart, type Part } from './parts.ts';
import { readRunningOut } from './running-out.ts';

const FLAPS = 3;
const FAILED_DAYS = 7;
const AROUND_MS = 30 * MINUTE;
/** After these a device goes down by itself. */
const TAKES_DOWN = ['reboot', 'update_firmware', 'upload_backup', 'update_devices'];

interface DeviceRow {
  id: number;
  name: string;
  model: string;
  serial: string;
  company_name: string;
  total: number;
}

const deviceColumns = sql`devices.id, devices.name, devices.model, devices.serial, companies.name as company_name, count(*) over () as total`;

interface AlertRow {
  id: number;
  device_id: number;
  name: string;
  severity: Row<'alerts'>['severity'];
  raised_at: number;
  device_name: string;
  company_name: string;
  total: number;
}

type OfflineRow = DeviceRow & { since: number | null; code: number | null; last_level: string | null; last_kind: string | null };

/** Devices that are offline, the longest first; with the code of the last attempt to connect, how the connection ended, and the job before. */
function readOffline(ctx: Context, actor: Actor) {
  const mayKnowJobs = can(actor, 'view_device_actions');
  const lastJob = mayKnowJobs
    ? sql`(select jobs.kind from job_targets inner join jobs on jobs.id = job_targets.job_id where job_targets.device_id = devices.id
        and job_targets.sent_at between devices.status_changed_at - ${AROUND_MS} and devices.status_changed_at + ${MINUTE}
        and jobs.kind in (${sql.join(TAKES_DOWN)}) and ${isJobVisible(actor)} order by job_targets.sent_at desc limit 1)`
    : sql`null`;
  const query = sql<OfflineRow>`select ${deviceColumns}, coalesce(devices.status_changed_at, devices.created_at) as since,
    devices.failed_auth_reason as code, ${lastJob} as last_kind,
    (select device_events.level from device_events where device_events.device_id = devices.id and device_events.type = 'disconnected'
      order by device_events.id desc limit 1) as last_level
    from devices inner join companies on companies.id = devices.company_id
    where devices.status = 0 and devices.quarantine is null and ${isVisible(actor, 'devices')}
    order by coalesce(devices.status_changed_at, devices.created_at), devices.id limit ${MOST_ROWS}`;
  return readPart(ctx, query, ({ since, last_level, ...row }) => ({
    ...row,
    since: wireTime(since),
    ended: last_level === null ? null : last_level === 'warning' ? ('silent' as const) : ('closed' as const),
  }));
}

/** Devices that disconnected three times or more within an hour. */
function readFlapping(ctx: Context, actor: Actor) {
  const query = sql<DeviceRow & { disconnects: number; status: number | null }>`select ${deviceColumns}, lost.n as disconnects,
    devices.status as status
    from (select device_events.device_id as device_id, count(*) as n from device_events where device_events.type = 'disconnected'
      and device_events.at > ${ctx.clock.now() - HOUR} and ${isVisible(actor, 'device_events')}
      group by device_events.device_id having count(*) >= ${FLAPS}) as lost
    inner join devices on devices.id = lost.device_id inner join companies on companies.id = devices.company_id
    where ${isVisible(actor, 'devices')} order by lost.n desc, devices.id limit ${MOST_ROWS}`;
  return readPart(ctx, query, ({ disconnects, ...row }) => ({ ...row, disconnects: Number(disconnects) }));
}

/** Alerts that nobody has acknowledged or snoozed, the worst first. */
function readAlerts(ctx: Context, actor: Actor) {
  const query = sql<AlertRow>`select alerts.id as id, alerts.device_id as device_id, alerts.name as name, alerts.severity as severity,
    alerts.raised_at as raised_at, devices.name as device_name, companies.name as company_name, count(*) over () as total
    from alerts inner join devices on devices.id = alerts.device_id inner join companies on companies.id = devices.company_id
    where alerts.ended_at is null and alerts.acknowledged_at is null
      and (alerts.snoozed_until is null or alerts.snoozed_until < ${ctx.clock.now()}) and ${isVisible(actor, 'devices')}
      and ${isVisible(actor, 'alerts')}
    order by case alerts.severity when 'critical' then 0 when 'warning' then 1 else 2 end, alerts.id desc limit ${MOST_ROWS}`;
  return readPart(ctx, query, ({ raised_at, ...row }) => ({ ...row, raised_at: wireTime(raised_at) }));
}

/** Devices whose identity is in doubt. */
function readQuarantine(ctx: Context, actor: Actor) {
  const query = sql<DeviceRow & { quarantine: string; created_at: number }>`select ${deviceColumns}, devices.quarantine as quarantine,
    devices.created_at as created_at from devices inner join companies on companies.id = devices.company_id
    where devices.quarantine is not null and ${isVisible(actor, 'devices')} order by devices.id limit ${MOST_ROWS}`;
  return readPart(ctx, query, ({ created_at, ...row }) => ({ ...row, created_at: wireTime(created_at) }));
}

type JobRow = Row<'jobs'> & { company_name: string; total_jobs: number };

async function readJobs(ctx: Context, actor: Actor, which: RawBuilder<unknown>): Promise<Part<Job>> {
  const query = sql<JobRow>`select jobs.*, companies.name as company_name, count(*) over () as total_jobs from jobs
    inner join companies on companies.id = jobs.company_id where ${which} and ${isJobVisible(actor)} order by jobs.id desc limit ${MOST_ROWS}`;
  const rows = await ctx.database.longReads.rows<JobRow>(query.compile(ctx.reads));
  return { count: Number(rows[0]?.total_jobs ?? 0), rows: rows.map(presentJob) };
}

/** Jobs of the last week that ended with failures, and that nobody has started again for those. */
function readFailed(ctx: Context, actor: Actor): Promise<Part<Job>> {
  const since = ctx.clock.now() - FAILED_DAYS * DAY;
  return readJobs(
    ctx,
    actor,
    sql`jobs.state = 'finished' and jobs.finished_at >= ${since}
      and exists (select 1 from job_targets where job_targets.job_id = jobs.id and job_targets.state in ('failed', 'timed-out'))
      and jobs.id not in (select again.parent_job_id from jobs as again where again.parent_job_id is not null and again.created_at >= ${since})`,
  );
}

/** Jobs that go on only when somebody says so: paused ones, and waves that wait to be approved. */
function readHeld(ctx: Context, actor: Actor): Promise<Part<Job>> {
  return readJobs(
    ctx,
    actor,
    sql`jobs.state in ('queued', 'running') and (jobs.paused_at is not null or (jobs.wave_asks = 1 and jobs.wave_number > 0
      and jobs.wave_approved < jobs.wave_number and jobs.wave_stopped = 0 and not exists (select 1 from job_targets
      where job_targets.job_id = jobs.id and job_targets.state in ('sent', 'running'))
      and exists (select 1 from job_targets where job_targets.job_id = jobs.id and job_targets.state = 'queued')))`,
  );
}

/** What needs somebody, of what the actor sees; null for what it may not see at all. */
export async function readAttention(ctx: Context, actor: Actor) {
  const [seesDevices, seesJobs] = [can(actor, 'view_devices'), can(actor, 'view_device_actions')];
  const [alerts, offline, flapping, quarantine, failed_jobs, held_jobs, running_out] = await Promise.all([
    can(actor, 'view_device_alerts') ? readAlerts(ctx, actor) : null,
    seesDevices ? readOffline(ctx, actor) : null,
    seesDevices ? readFlapping(ctx, actor) : null,
    seesDevices ? readQuarantine(ctx, actor) : null,
    seesJobs ? readFailed(ctx, actor) : null,
    seesJobs ? readHeld(ctx, actor) : null,
    readRunningOut(ctx, actor),
  ]);
  return { alerts, offline, flapping, quarantine, failed_jobs, held_jobs, running_out };
}
