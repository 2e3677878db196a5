import { sql } from 'kysely';
import type { Job, JobStep, JobTarget } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { presentJob, presentStep, presentTarget } from '../../domain/jobs/present-job.ts';
import { ROLL_OUT_KINDS } from '../../domain/jobs/roll-outs.ts';
import { selectTargets } from '../../domain/jobs/target-rows.ts';
import type { ListQuery, ListRules } from '../../kernel/list-query.ts';
import { entityFields, listRulesOf } from '../../kernel/resources.ts';

export const jobRules: ListRules = listRulesOf('jobs', {
  sorts: ['id', 'kind'],
  isSearchable: true,
  filters: { mine: { kind: 'boolean', isNegatable: false }, device_id: { kind: 'integer', isNegatable: false } },
});

export const rollOutRules: ListRules = listRulesOf('roll-outs', {
  sorts: ['id', 'kind'],
  filters: { mine: { kind: 'boolean', isNegatable: false } },
});

export const targetRules: ListRules = {
  sorts: new Set(['id', 'device_name', 'company_name', 'state', 'started_at', 'finished_at']),
  filters: new Map([
    [
      'state',
      { kind: 'enum', values: ['queued', 'sent', 'running', 'ok', 'failed', 'skipped', 'timed-out', 'cancelled'], isNegatable: true },
    ],
    ['reason', { kind: 'text', isNegatable: true }],
    ['device_id', { kind: 'integer', isNegatable: false }],
  ]),
  fields: new Map(entityFields('job_target').map((field) => [field, undefined])),
  defaultSort: { key: 'id', isDescending: false },
  isSearchable: true,
};

export const stepRules: ListRules = {
  sorts: new Set(['id', 'device_name', 'step', 'finished_at']),
  filters: new Map([
    ['target_id', { kind: 'integer', isNegatable: false }],
    ['device_id', { kind: 'integer', isNegatable: false }],
    ['state', { kind: 'enum', values: ['ok', 'failed', 'timed-out'], isNegatable: true }],
  ]),
  fields: new Map(entityFields('job_step').map((field) => [field, undefined])),
  defaultSort: { key: 'id', isDescending: false },
  isSearchable: true,
};

const stepColumns: ListColumns = {
  id: sql.ref('job_target_steps.id'),
  sorts: {
    id: { by: sql.ref('job_target_steps.id') },
    device_name: byText('job_targets.device_name'),
    step: { by: sql.ref('job_target_steps.step') },
    finished_at: { by: sql.ref('job_target_steps.finished_at') },
  },
  filters: {
    target_id: (values) => isOneOf(sql.ref('job_target_steps.target_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('job_targets.device_id'), integers(values)),
    state: (values) => isOneOf(sql.ref('job_target_steps.state'), values),
  },
  search: (text) => containsText([sql.ref('job_targets.device_name'), sql.ref('job_target_steps.message')], text),
};

/** Devices that a search for jobs looks at. */
const MOST_NAMED = 100;

function jobColumns(actor: Actor): ListColumns {
  return {
    id: sql.ref('jobs.id'),
    sorts: {
      id: { by: sql.ref('jobs.id') },
      kind: { by: sql.ref('jobs.kind') },
      state: { by: sql.ref('jobs.state') },
      total: { by: sql.ref('jobs.total') },
      company_name: byText('companies.name'),
      user_name: byText('jobs.user_name'),
      // Jobs are numbered in the order of time.
      created_at: { by: sql.ref('jobs.id') },
      finished_at: { by: sql.ref('jobs.finished_at'), isNullable: true },
    },
    filters: {
      kind: (values) => isOneOf(sql.ref('jobs.kind'), values),
      state: (values) => isOneOf(sql.ref('jobs.state'), values),
      company_id: (values) => isOneOf(sql.ref('jobs.company_id'), integers(values)),
      user_id: (values) => isOneOf(sql.ref('jobs.created_by'), integers(values)),
      mine: (values) =>
        values.includes('1') || values.includes('true') ? isOneOf(sql.ref('jobs.created_by'), [actor.userId]) : sql`1 = 1`,
      device_id: (values) =>
        sql`jobs.id in (select job_targets.job_id from job_targets where ${isOneOf(sql.ref('job_targets.device_id'), integers(values))})`,
    },
    // By device, too: those of this name are few, the targets of all jobs are not.
    search: (text) => sql`(${containsText([sql.ref('jobs.search_text'), sql.ref('jobs.user_name'), sql.ref('companies.name')], text)}
      or jobs.id in (select job_targets.job_id from job_targets where job_targets.device_id in (select named.id from
        (select devices.id from devices where ${isVisible(actor, 'devices')} and ${containsText([sql.ref('devices.name')], text)} limit ${MOST_NAMED}) as named)))`,
  };
}

const targetColumns: ListColumns = {
  id: sql.ref('job_targets.id'),
  sorts: {
    id: { by: sql.ref('job_targets.id') },
    device_name: byText('job_targets.device_name'),
    company_name: { ...byText('companies.name'), isNullable: true },
    state: { by: sql.ref('job_targets.state') },
    started_at: { by: sql.ref('job_targets.started_at'), isNullable: true },
    finished_at: { by: sql.ref('job_targets.finished_at'), isNullable: true },
  },
  filters: {
    state: (values) => isOneOf(sql.ref('job_targets.state'), values),
    reason: (values) => isOneOf(sql.ref('job_targets.reason'), values),
    device_id: (values) => isOneOf(sql.ref('job_targets.device_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('job_targets.device_name'), sql.ref('job_targets.message')], text),
};

function selectJobs(db: Db, actor: Actor) {
  return db
    .selectFrom('jobs')
    .innerJoin('companies', 'companies.id', 'jobs.company_id')
    .selectAll('jobs')
    .select('companies.name as company_name')
    .select(
      sql<
        string | null
      >`case when jobs.total = 1 then (select min(job_targets.device_name) from job_targets where job_targets.job_id = jobs.id) end`.as(
        'device_name',
      ),
    )
    .where(isJobVisible(actor));
}

/** One page of the jobs that the actor sees. */
export async function listJobs(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Job[]; total: number }> {
  const { rows, total } = await applyListQuery(selectJobs(db, actor), query, jobColumns(actor));
  return { rows: rows.map(presentJob), total };
}

/** The same of those that put firmware or settings on devices. */
export async function listRollOuts(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Job[]; total: number }> {
  const { rows, total } = await applyListQuery(selectJobs(db, actor).where('jobs.kind', 'in', ROLL_OUT_KINDS), query, jobColumns(actor));
  return { rows: rows.map(presentJob), total };
}

/** One job; NOT_FOUND when it does not exist or the actor does not see it. */
export async function getJob(db: Db, actor: Actor, id: number): Promise<Job> {
  const row = await selectJobs(db, actor).where('jobs.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return presentJob(row);
}

/** One page of a job's targets. The caller has checked that the actor sees the job. */
export async function listTargets(db: Db, jobId: number, query: ListQuery): Promise<{ rows: JobTarget[]; total: number }> {
  const { rows, total } = await applyListQuery(selectTargets(db).where('job_targets.job_id', '=', jobId), query, targetColumns);
  return { rows: rows.map(presentTarget), total };
}

/** One page of what the finished steps of a job gave. The caller has checked that the actor sees the job. */
export async function listSteps(db: Db, jobId: number, query: ListQuery): Promise<{ rows: JobStep[]; total: number }> {
  const steps = db
    .selectFrom('job_target_steps')
    .innerJoin('job_targets', 'job_targets.id', 'job_target_steps.target_id')
    .selectAll('job_target_steps')
    .select(['job_targets.device_id', 'job_targets.device_name'])
    .where('job_targets.job_id', '=', jobId);
  const { rows, total } = await applyListQuery(steps, query, stepColumns);
  return { rows: rows.map(presentStep), total };
}
