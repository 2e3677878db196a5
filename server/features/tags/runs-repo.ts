import { sql } from 'kysely';
import type { TagRun } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { actionNameOf, KIND_OF, sourceOf } from '../../domain/tags/action-kinds.ts';

const stateNow = sql<TagRun['request_target_state']>`case when tag_runs.state in ('waiting', 'refused') then tag_runs.state
  else coalesce(job_targets.state, 'queued') end`;

const columns: ListColumns = {
  id: sql.ref('tag_runs.id'),
  sorts: {
    id: { by: sql.ref('tag_runs.id') },
    created_at: { by: sql.ref('tag_runs.created_at') },
    device_name: { by: sql.ref('devices.name_key') },
    action_tag_name: byText('tags.name'),
  },
  filters: {
    tag_id: (values) => isOneOf(sql.ref('tag_runs.tag_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('tag_runs.device_id'), integers(values)),
    action_name: (values) =>
      isOneOf(
        sql.ref('tag_runs.kind'),
        values.map((name) => Object.entries(KIND_OF).find(([known]) => known === name)?.[1] ?? name),
      ),
    request_target_state: (values) => isOneOf(stateNow, values),
  },
};

interface Course {
  request_target_state: TagRun['request_target_state'];
  reason: TagRun['reason'];
  message: string | null;
  job: string | null;
  created_at: number;
  sent_at: number | null;
  started_at: number | null;
  finished_at: number | null;
}

/** The states that an action came into, oldest first; only those whose time is known. */
function eventsOf({ request_target_state: state, ...run }: Course): TagRun['events'] {
  const event = (action: string, at: number | null, message = '') =>
    at === null ? [] : [{ action, message, created_at: wireTime(at), reference_id: run.job }];
  const wasRefused = state === 'refused';
  return [
    ...event(wasRefused ? 'refused' : 'waiting', run.created_at, run.reason ?? ''),
    ...event('sent', run.sent_at),
    ...event('running', run.started_at),
    ...event(state, run.finished_at, run.message ?? ''),
  ];
}

/** One page of what tags did to devices; only where the actor sees both. */
export async function listRuns(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: TagRun[]; total: number }> {
  const base = db
    .selectFrom('tag_runs')
    .innerJoin('tags', 'tags.id', 'tag_runs.tag_id')
    .innerJoin('devices', 'devices.id', 'tag_runs.device_id')
    .leftJoin('job_targets', (join) =>
      join.onRef('job_targets.job_id', '=', 'tag_runs.job_id').onRef('job_targets.device_id', '=', 'tag_runs.device_id'),
    )
    .where(isVisible(actor, 'tags'))
    .where(isVisible(actor, 'devices'))
    .select([
      'tag_runs.id',
      'tag_runs.tag_id as action_tag_id',
      'tags.name as action_tag_name',
      'tags.description as action_tag_description',
    ])
    .select(['tag_runs.device_id', 'devices.name as device_name', 'tag_runs.input'])
    .select(['devices.serial as device_serial', 'tag_runs.kind as action_name', 'tag_runs.reason', 'tag_runs.user_name'])
    .select(['tag_runs.job_id', 'tag_runs.created_at', 'job_targets.finished_at', stateNow.as('request_target_state')])
    .select(['job_targets.sent_at', 'job_targets.started_at', 'job_targets.message']);
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    rows: rows.map(({ input, sent_at, started_at, message, ...row }) => {
      const job = row.job_id === null ? null : String(row.job_id);
      return {
        ...row,
        action_name: actionNameOf(row.action_name),
        action_tag_description: row.action_tag_description || null,
        action_initialized_from: 'tag_action',
        scheduler_id: job,
        additional_information: sourceOf(input),
        events: eventsOf({ ...row, sent_at, started_at, message, job }),
        created_at: wireTime(row.created_at),
        finished_at: wireTime(row.finished_at),
      };
    }),
    total,
  };
}
