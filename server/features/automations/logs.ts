import { sql } from 'kysely';
import type { AutomationLog } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { NewRow, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, hasText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { DeviceNews } from '../../domain/devices/watchers.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { ActionResult, Evaluated, Outcome } from './types.ts';
import { branchAt } from './branches.ts';
import type { LiveAutomation } from './stored-rule.ts';
import { foldText } from '../../../schemas/kit/text/text-order.ts';

type LogRow = Row<'automation_logs'> & { device_name: string; company_name: string; automation_name: string; serial: string };

const columns: ListColumns = {
  id: sql.ref('automation_logs.id'),
  sorts: { id: { by: sql.ref('automation_logs.id') }, created_at: { by: sql.ref('automation_logs.id') } },
  filters: {
    device_id: (values) => isOneOf(sql.ref('automation_logs.device_id'), integers(values)),
    automation_id: (values) => isOneOf(sql.ref('automation_logs.automation_id'), integers(values)),
    status: (values) =>
      isOneOf(sql`case when automation_logs.status in ('running', 'waiting') then 'pending' else automation_logs.status end`, values),
  },
  search: (text) => hasText(sql.ref('devices.search_text'), foldText(text)),
};

function present(row: LogRow): AutomationLog {
  const evaluated = JSON.parse(row.evaluated) as Evaluated[];
  const results = JSON.parse(row.results) as ActionResult[];
  const failed = results.find(({ status }) => status === 'failed');
  return {
    id: row.id,
    evaluation_id: row.id,
    automation_id: row.automation_id,
    automation_name: row.automation_name,
    device_id: row.device_id,
    device_name: row.device_name,
    serial: row.serial,
    company_id: row.company_id,
    company_name: row.company_name,
    branch: row.branch,
    status: row.status === 'running' || row.status === 'waiting' ? 'pending' : row.status,
    overall_status: row.status === 'done' ? 'success' : row.status === 'failed' ? 'failed' : 'pending',
    action_status: row.status === 'done' ? 'success' : row.status === 'failed' ? 'failed' : 'pending',
    action_status_message: failed?.message ?? null,
    evaluated_parameters: evaluated.map(({ parameter, actual }) => ({ key: parameter, value: actual })),
    evaluated_conditions: evaluated.map(({ key, parameter, operator, expected, actual, value }) => ({
      ...{ key, value, parameter, operator },
      ...{ expected, actual: actual === null ? null : String(actual) },
    })),
    actions: results.map(({ name, status, message, job_id }) => ({ name, status, message, job_id: job_id ?? null })),
    conditions_body_version: row.version,
    created_at: wireTime(row.at),
    finished_at: row.status === 'done' || row.status === 'failed' ? wireTime(row.finished_at) : null,
  };
}

const selectLogs = (ctx: Context, actor: Actor) =>
  ctx.reads
    .selectFrom('automation_logs')
    .innerJoin('automations', 'automations.id', 'automation_logs.automation_id')
    .innerJoin('devices', 'devices.id', 'automation_logs.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .where(isVisible(actor, 'devices'))
    .where(isVisible(actor, 'automation_logs'))
    .where(isVisible(actor, 'automations'));

/** One page of what automations did, newest first unless the query says otherwise. `automationId`: of one of them, which the caller has shown to the actor. */
export async function listLogs(
  ctx: Context,
  actor: Actor,
  query: ListQuery,
  automationId?: number,
): Promise<{ rows: AutomationLog[]; total: number }> {
  const base = selectLogs(ctx, actor)
    .$if(automationId !== undefined, (own) => own.where('automation_logs.automation_id', '=', automationId ?? 0))
    .select('automation_logs.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map(({ id }) => id);
  const found = await selectLogs(ctx, actor)
    .selectAll('automation_logs')
    .select(['devices.name as device_name', 'devices.serial', 'companies.name as company_name', 'automations.name as automation_name'])
    .where('automation_logs.id', 'in', ids)
    .execute();
  return { rows: inOrderOf(ids, found).map(present), total };
}

/** One entry. Throws NOT_FOUND. */
export async function getLog(ctx: Context, actor: Actor, automationId: number, id: number): Promise<AutomationLog> {
  const row = await selectLogs(ctx, actor)
    .selectAll('automation_logs')
    .select(['devices.name as device_name', 'devices.serial', 'companies.name as company_name', 'automations.name as automation_name'])
    .where('automation_logs.id', '=', id)
    .where('automation_logs.automation_id', '=', automationId)
    .executeTakeFirst();
  if (!row) throw new NotFound({});
  return present(row);
}

interface Firing {
  automation: LiveAutomation;
  news: DeviceNews;
  outcome: Outcome;
}

function rowOf({ automation, news, outcome }: Firing, branch: string, at: number) {
  const actions = branchAt(automation.rule.branches, branch)?.actions ?? [];
  const row = {
    automation_id: automation.row.id,
    device_id: news.row.id,
    company_id: news.row.company_id,
    at,
    branch,
    version: automation.row.version,
    evaluated: JSON.stringify(outcome.evaluated),
    actions: JSON.stringify(actions),
  };
  return { actions, row };
}

/** What an evaluation asks for: an entry for each branch that is acted on. */
export function firedRows(firing: Firing, at: number): NewRow<'automation_logs'>[] {
  return firing.outcome.fired.map((branch) => {
    const { actions, row } = rowOf(firing, branch, at);
    const mails = actions.some(({ name }) => name === 'SendEmail') ? 'pending' : 'none';
    return { ...row, status: 'pending', results: '[]', mails, finished_at: null };
  });
}

/** Notes of branches that are held back, so that a loop between automations is seen where people look for what was done. */
export function heldRows(firing: Firing, branches: readonly string[], at: number, message: string): NewRow<'automation_logs'>[] {
  return branches.map((branch) => {
    const { actions, row } = rowOf(firing, branch, at);
    const results = actions.map(({ name }) => ({ name, status: 'failed', message }));
    return { ...row, status: 'failed', results: JSON.stringify(results), mails: 'none', finished_at: at };
  });
}
