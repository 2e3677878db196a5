import { sql } from 'kysely';
import type { TagRun } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const stateNow = sql<TagRun['request_target_state']>`case when tag_runs.state in ('waiting', 'refused') then tag_runs.state
  else coalesce(job_targets.state, 'queued') end`;

const columns: ListColumns = {
  id: sql.ref('tag_runs.id'),
  sorts: {
    id: { by: sql.ref('tag_runs.id') },
    created_at: { by: sql.ref('tag_runs.created_at') },
    device_name: { by: sql.ref('devices.name') },
    tag_name: { by: sql.ref('tags.name') },
  },
  filters: {
    tag_id: (values) => isOneOf(sql.ref('tag_runs.tag_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('tag_runs.device_id'), integers(values)),
    action_name: (values) => isOneOf(sql.ref('tag_runs.kind'), values),
    request_target_state: (values) => isOneOf(stateNow, values),
  },
};

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
    .select(['tag_runs.id', 'tag_runs.tag_id', 'tags.name as tag_name', 'tag_runs.device_id', 'devices.name as device_name'])
    .select(['devices.serial as device_serial', 'tag_runs.kind as action_name', 'tag_runs.reason', 'tag_runs.user_name'])
    .select(['tag_runs.job_id', 'tag_runs.created_at', 'job_targets.finished_at', stateNow.as('request_target_state')]);
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    rows: rows.map(({ action_name, created_at, finished_at, ...row }) => ({
      ...row,
      // The routes that add actions take these kinds only.
      action_name: action_name as TagRun['action_name'],
      action_initialized_from: 'tag_action',
      created_at: wireTime(created_at),
      finished_at: wireTime(finished_at),
    })),
    total,
  };
}
