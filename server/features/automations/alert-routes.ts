import { ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { readListQuery } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { groupAlerts } from './alert-groups.ts';
import { acknowledge, getAlert, listAlerts, removeAlert, snooze } from './alerts.ts';
import { acknowledgeMany, snoozeMany } from './answer-alerts.ts';

/** The list of alerts, what is open by name, and what people do with alerts. */
export function registerAlerts(app: App): void {
  const alertAccess = { permission: 'view_device_alerts' } as const;
  const alertTag = 'alerts';
  const alertRules = listRulesOf('alerts', { sorts: ['id'], filters: { type: { kind: 'text', isNegatable: false } } });
  listRoute(app, {
    path: '/alerts',
    access: alertAccess,
    summary: 'What is or was wrong with devices.',
    tag: alertTag,
    rules: alertRules,
    list: listAlerts,
  });
  route(app, {
    method: 'GET',
    path: '/alerts/groups',
    access: alertAccess,
    summary: 'Alerts that have not ended, counted by name and severity, twelve at most; filters as in the list.',
    tag: alertTag,
    hasOwnQueryCheck: true,
    handler: async ({ ctx, actor, request, reply }) =>
      ok(await groupAlerts(ctx, actor, readListQuery(alertRules, { actor, reply }, request.query as Record<string, unknown>))),
  });
  route(app, {
    method: 'GET',
    path: '/alerts/:id',
    access: alertAccess,
    summary: 'One alert.',
    tag: alertTag,
    params: idParams,
    handler: async ({ ctx, actor, params, request }) => ok(await getAlert(ctx, actor, params.id, languageOfCall(request.headers))),
  });
  formRoute(app, 'alerts/acknowledge', async ({ ctx, actor, origin, params, request }) => {
    await acknowledge(ctx, { actor, origin }, params.id);
    return ok(await getAlert(ctx, actor, params.id, languageOfCall(request.headers)));
  });
  formRoute(app, 'alerts/snooze', async ({ ctx, actor, origin, params, request, body }) => {
    await snooze(ctx, { actor, origin }, params.id, body.hours);
    return ok(await getAlert(ctx, actor, params.id, languageOfCall(request.headers)));
  });
  formRoute(app, 'alerts/acknowledge-many', async ({ ctx, actor, origin, body }) =>
    ok({ count: await acknowledgeMany(ctx, { actor, origin }, body, alertRules) }),
  );
  formRoute(app, 'alerts/snooze-many', async ({ ctx, actor, origin, body }) =>
    ok({ count: await snoozeMany(ctx, { actor, origin }, body, alertRules) }),
  );
  formRoute(app, 'alerts/remove', async ({ ctx, actor, origin, params }) => {
    await removeAlert(ctx, { actor, origin }, params.id);
    return ok();
  });
}
