import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { listConditions, textKey } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { columns, selectAlerts } from './alerts.ts';

const MOST_GROUPS = 12;

/** Alerts that have the same name and severity. */
export interface AlertGroup {
  name: string;
  severity: Row<'alerts'>['severity'];
  /** Those that nobody is notified of, because the router of their site is offline, among them. */
  silenced: number;
  count: number;
  /** When the oldest one was raised. */
  since: string | null;
}

/** The alerts that have not ended and match a list's filters, counted by name and severity: the worst first, then the most; twelve at most. */
export async function groupAlerts(ctx: Context, actor: Actor, query: Pick<ListQuery, 'filters' | 'ids' | 'q'>): Promise<AlertGroup[]> {
  let matching = selectAlerts(ctx.reads, actor).where('alerts.ended_at', 'is', null);
  for (const condition of listConditions(query, columns)) matching = matching.where(condition);
  const rows = await matching
    .select(['alerts.name', 'alerts.severity'])
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.count<number>('alerts.cause_device_id').as('silenced'),
      eb.fn.min('alerts.raised_at').as('since'),
    ])
    .groupBy(['alerts.name', 'alerts.severity'])
    .orderBy(sql`case alerts.severity when 'critical' then 0 when 'warning' then 1 else 2 end`)
    .orderBy('count', 'desc')
    .orderBy(textKey(sql.ref('alerts.name')))
    .limit(MOST_GROUPS)
    .execute();
  return rows.map(({ name, severity, count, silenced, since }) => ({
    ...{ name, severity, count: Number(count), silenced: Number(silenced), since: wireTime(Number(since)) },
  }));
}
