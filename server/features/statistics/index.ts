import { ok } from '../../kernel/answer.ts';
import { moment } from '../../kernel/moments.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { companyStatistic, peopleStatistic } from './companies.ts';
import { actionLog, connectionLog } from './logs.ts';
import { onlineStatistic, onlineTree } from './online.ts';
import { dayStatistic, monthStatistic } from './periods.ts';
import { statisticRoutes } from './statistic-routes.ts';

/** Registers the room of statistics: figures of companies, people, days and months, and the logs of connections and actions. */
export function registerStatistics(app: App): void {
  const all = [companyStatistic, peopleStatistic, onlineStatistic, dayStatistic, monthStatistic, connectionLog, actionLog];
  for (const statistic of all) statisticRoutes(app, statistic);
  route(app, {
    method: 'GET',
    path: '/statistics/devices/online',
    access: { permission: 'view_statistics' },
    summary: 'Devices that were online in a period and those that were not, as a tree of companies; the last day by default.',
    tag: 'statistics',
    query: Type.Object({
      start_date: moment,
      end_date: moment,
      company_id: Type.Optional(Type.Integer({ minimum: 1 })),
      include_child_companies: Type.Optional(Type.Boolean()),
    }),
    cost: 'figures',
    handler: async ({ ctx, actor, query }) => ok(await onlineTree(ctx, actor, query)),
  });
}
