import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { requireTemplate } from './templates.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

/** Names that are listed; the others are counted. */
const MOST_NAMES = 10;

/** What is lost or stops when a monitoring template is removed, as far as the actor sees it. Throws NOT_FOUND. */
export async function readUses(ctx: Context, actor: Actor, id: number) {
  const template = await requireTemplate(ctx.reads, actor, id);
  const devices = await ctx.reads
    .selectFrom('monitoring_assignments')
    .innerJoin('devices', 'devices.id', 'monitoring_assignments.device_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('template_id', '=', template.id)
    .where(isVisible(actor, 'devices'))
    .executeTakeFirstOrThrow();
  const answers = await ctx.reads
    .selectFrom('monitoring_reports')
    .innerJoin('devices', 'devices.id', 'monitoring_reports.device_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('template_id', '=', template.id)
    .where(isVisible(actor, 'devices'))
    .executeTakeFirstOrThrow();
  // `mt12_` is in no other word of a rule or a widget than the name of a metric.
  const metric = `%"mt${template.id}\\_%`;
  const named = (table: 'automations' | 'dashboards', column: 'rule' | 'widgets') =>
    ctx.reads
      .selectFrom(table)
      .select(`${table}.name as name`)
      .where(sql<boolean>`${sql.ref(`${table}.${column}`)} like ${metric} escape '\\'`)
      .where(isVisible(actor, table))
      .$if(table === 'dashboards', (query) =>
        query.where(sql<boolean>`(dashboards.owner_id is null or dashboards.owner_id = ${actor.userId})`),
      )
      .orderBy(textKey(sql.ref(`${table}.name`)))
      .execute();
  const reports = await ctx.reads
    .selectFrom('reports')
    .select(['name', 'monitoring_templates'])
    .where('monitoring_templates', '<>', '[]')
    .where(isVisible(actor, 'reports'))
    .orderBy(textKey(sql.ref('name')))
    .execute();
  const namesOf = (rows: readonly { name: string }[]) => ({
    count: rows.length,
    names: rows.slice(0, MOST_NAMES).map(({ name }) => name),
  });
  return {
    device_count: Number(devices.count),
    answer_count: Number(answers.count),
    automations: namesOf(await named('automations', 'rule')),
    dashboards: namesOf(await named('dashboards', 'widgets')),
    reports: namesOf(reports.filter((row) => (JSON.parse(row.monitoring_templates) as number[]).includes(template.id))),
  };
}
