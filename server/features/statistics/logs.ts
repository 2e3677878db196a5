import { sql } from 'kysely';
import { integers, isOneOf } from '../../kernel/apply-list-query.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { betweenDays, type Statistic } from './statistic-routes.ts';

/** How devices came and went, and why they were refused. Events are kept for 90 days. */
export const connectionLog: Statistic = {
  resource: 'connection-log',
  summary: 'Connections of devices and attempts that were refused.',
  texts: ['device_name', 'serial', 'company_name', 'type', 'log', 'ip'],
  times: ['created_at'],
  filters: {
    type: (values) => isOneOf(sql.ref('figures.type'), values),
    code: (values) => isOneOf(sql.ref('figures.code'), values.map(Number)),
    company_id: (values) => isOneOf(sql.ref('figures.company_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('figures.device_id'), integers(values)),
    ...betweenDays('figures.created_at'),
  },
  rows: (_ctx, actor) => sql`select device_events.id as id, device_events.at as created_at, device_events.device_id as device_id,
    devices.name as device_name, devices.serial as serial, device_events.company_id as company_id, companies.name as company_name,
    device_events.type as type, device_events.code as code, nullif(device_events.message, '') as log, device_events.ip as ip
    from device_events inner join devices on devices.id = device_events.device_id
    inner join companies on companies.id = device_events.company_id
    where device_events.type in ('connected', 'disconnected', 'refused', 'quarantined')
    and ${isVisible(actor, 'device_events')} and ${isVisible(actor, 'devices')}`,
};

/** What was done to which device by whom, and how it ended; of jobs that the actor sees. */
export const actionLog: Statistic = {
  resource: 'action-log',
  summary: 'What was done to each device, by whom, and how it ended.',
  texts: ['kind', 'device_name', 'company_name', 'user_name', 'state'],
  times: ['created_at', 'finished_at'],
  filters: {
    state: (values) => isOneOf(sql.ref('figures.state'), values),
    company_id: (values) => isOneOf(sql.ref('figures.company_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('figures.device_id'), integers(values)),
    user_id: (values) => isOneOf(sql.ref('figures.user_id'), integers(values)),
    ...betweenDays('figures.created_at'),
  },
  rows: (_ctx, actor) => sql`select job_targets.id as id, jobs.id as job_id, jobs.created_at as created_at, jobs.kind as kind,
    job_targets.device_id as device_id, job_targets.device_name as device_name, job_targets.company_id as company_id,
    companies.name as company_name, jobs.created_by as user_id, jobs.user_name as user_name, job_targets.state as state,
    job_targets.finished_at as finished_at
    from job_targets inner join jobs on jobs.id = job_targets.job_id inner join companies on companies.id = job_targets.company_id
    where ${isVisible(actor, 'job_targets')} and ${isJobVisible(actor)}`,
};
