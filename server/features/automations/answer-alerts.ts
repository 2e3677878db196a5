import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Changes } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { HOUR } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { parseListQuery, type ListRules } from '../../kernel/list-query.ts';
import { columns, selectAlerts } from './alerts.ts';

const ALERTS_AT_ONCE = 200;
const MOST_ALERTS = 20_000;

/** Alerts by their ids, or all that a list would show for a query. */
export interface ChosenAlerts {
  alert_id?: readonly number[];
  query?: Readonly<Record<string, unknown>>;
}

/** The form's schema lets texts alone through. */
const textsIn = (query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]));

/** Throws INVALID_FIELD when nothing is chosen, and for a query that the list would refuse. */
async function idsOf(ctx: Context, actor: Actor, { alert_id: ids, query }: ChosenAlerts, rules: ListRules): Promise<readonly number[]> {
  if (ids !== undefined) return ids;
  if (query === undefined) throw new InvalidFields([{ source: 'alert_id', message: 'Choose alerts.' }]);
  const wanted = { ...parseListQuery(rules, actor, textsIn(query)), limit: MOST_ALERTS, offset: 0 };
  const { rows } = await applyListQuery(selectAlerts(ctx.reads, actor).select('alerts.id'), wanted, columns);
  return rows.map(({ id }) => id);
}

async function answerSome(ctx: Context, caller: Caller, ids: readonly number[], action: string, set: Changes<'alerts'>): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    const rows = await selectAlerts(trx, caller.actor)
      .select(['alerts.id', 'alerts.name', 'alerts.company_id', 'alerts.device_id', 'alerts.message', 'companies.path as company_path'])
      .where('alerts.id', 'in', ctx.database.tools.idList(ids))
      .where('alerts.ended_at', 'is', null)
      .$if(action === 'acknowledge', (query) => query.where('alerts.acknowledged_at', 'is', null))
      .execute();
    if (rows.length === 0) return 0;
    await trx
      .updateTable('alerts')
      .set(set)
      .where('id', 'in', ctx.database.tools.idList(rows.map(({ id }) => id)))
      .execute();
    await writeAudit(
      trx,
      { actor: caller.actor, origin: caller.origin, at: ctx.clock.now() },
      rows.map(({ id, name, company_id, device_id, message }) => ({
        ...{ action: `alerts.${action}`, entity: 'alert', entityId: id, entityName: name, companyId: company_id },
        ...{ before: { device_id, message }, after: { ...set } },
      })),
    );
    afterCommit(trx, () => {
      for (const { id, company_id, device_id, company_path } of rows)
        ctx.live.publishBelow(company_path, 'alerts', 'AlertChanged', { id, company_id, device_id });
    });
    return rows.length;
  });
}

async function answerAll(ctx: Context, caller: Caller, ids: readonly number[], action: string, set: Changes<'alerts'>): Promise<number> {
  let count = 0;
  for (let start = 0; start < ids.length; start += ALERTS_AT_ONCE) {
    if (start > 0) await nextTurn();
    count += await answerSome(ctx, caller, ids.slice(start, start + ALERTS_AT_ONCE), action, set);
  }
  return count;
}

/** Says that somebody looks after these alerts; how many there were. Those that have ended or are acknowledged stay as they are. Throws INVALID_FIELD. */
export async function acknowledgeMany(ctx: Context, caller: Caller, chosen: ChosenAlerts, rules: ListRules): Promise<number> {
  const ids = await idsOf(ctx, caller.actor, chosen, rules);
  return answerAll(ctx, caller, ids, 'acknowledge', { acknowledged_at: ctx.clock.now(), acknowledged_by: caller.actor.name });
}

/** Puts these alerts out of the way for some hours; how many there were. Those that have ended stay as they are. Throws INVALID_FIELD. */
export async function snoozeMany(
  ctx: Context,
  caller: Caller,
  chosen: ChosenAlerts & { hours: number },
  rules: ListRules,
): Promise<number> {
  const ids = await idsOf(ctx, caller.actor, chosen, rules);
  return answerAll(ctx, caller, ids, 'snooze', { snoozed_until: ctx.clock.now() + chosen.hours * HOUR });
}
