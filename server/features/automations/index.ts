import { created, ok } from '../../kernel/answer.ts';
import { SECOND } from '../../kernel/clock.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { isProgram, recordFor } from '../../kernel/lenient-calls.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { registerAlerts } from './alert-routes.ts';
import { registerAlertConfigurations } from './alert-configuration-routes.ts';
import { registerDeviceRoutes } from './device-routes.ts';
import { backTest } from './back-test.ts';
import {
  automationTypes,
  documentAutomation,
  documentLogRecords,
  documentLogList,
  logListTypes,
  logRecordTypes,
} from './documented-answers.ts';
import { forDevicesToCome, keepingRest, readAutomation, readOnlyOne } from './documented.ts';
import { listRuleForms } from './device-actions.ts';
import { explain } from './explain.ts';
import { getLog, listLogs } from './logs.ts';
import { RULE_PARAMETERS, ruleOperatorsOf } from '../../../schemas/kit/form/rule-parameters.ts';
import { runActions } from './run-actions.ts';
import { sendMails } from './send-mails.ts';
import {
  activate,
  addAutomation,
  editAutomation,
  getAutomation,
  listAutomations,
  removeAutomation,
  requireAutomation,
  type AutomationBody,
} from './service.ts';
import { assertRule } from './check-rule.ts';
import { ruleOf } from './stored-rule.ts';
import { listVersions, restoreVersion } from './versions.ts';
import { devicesForTest } from './test-devices.ts';
import { addSimAlert } from './sim-alert.ts';
import { settleWebhooks } from './webhooks.ts';
import { switchOffUnreadable } from './switch-off-unreadable.ts';
import { releaseWaiting } from './wait-for-routers.ts';
import { createWatch, type Watch } from './watch.ts';

const access = { permission: 'view_automations' } as const;
const tag = 'automations';
const LOOK_MS = 2 * SECOND;

/** Evaluates as devices report, and does what follows from it, from the start to the stop of the server. */
function runInBackground({ ctx, fastify }: App): Watch {
  let working: Promise<void> | undefined;
  let isWantedAgain = false;
  async function work(): Promise<void> {
    do {
      isWantedAgain = false;
      await releaseWaiting(ctx);
      await runActions(ctx);
      await sendMails(ctx);
      await settleWebhooks(ctx);
    } while (isWantedAgain);
  }
  /** Does what waits; one at a time, and once more when more came meanwhile. Resolves when nothing is left. */
  function act(): Promise<void> {
    isWantedAgain = true;
    working ??= work()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'actions of automations could not be done'))
      .finally(() => {
        working = undefined;
      });
    return working;
  }
  const watch = createWatch(ctx, { onFired: () => void act() });
  ctx.deviceWatchers.add((trx, news) => watch.take(trx, news));
  let stop: (() => void) | undefined;
  let looking = Promise.resolve();
  fastify.addHook('onReady', async () => {
    await switchOffUnreadable(ctx);
    stop = ctx.clock.every(LOOK_MS, () => {
      looking = watch.lookAgain().then(act);
      return looking;
    });
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await looking.catch(() => undefined);
    await working;
  });
  return watch;
}

function registerChanging(app: App, watch: Watch): void {
  formRoute(
    app,
    'automations/new',
    async ({ ctx, actor, origin, body }) => {
      const id = await addAutomation(ctx, { actor, origin }, isProgram(actor) ? forDevicesToCome(body) : body);
      watch.forget();
      return created({ id }, { id });
    },
    { programs: { status: 200, translate: readAutomation } },
  );
  formRoute(app, 'automations/sim-alert', async ({ ctx, actor, origin, body, request }) => {
    const id = await addSimAlert(ctx, { actor, origin }, body, languageOfCall(request.headers));
    watch.forget();
    return created({ id }, { id });
  });
  formRoute(
    app,
    'automations/edit',
    async ({ ctx, actor, origin, params, body }) => {
      const isWhole = body.name !== undefined && body.conditions_body !== undefined && !isProgram(actor);
      const before = isWhole ? undefined : await getAutomation(ctx, actor, params.id);
      await editAutomation(ctx, { actor, origin }, params.id, before ? keepingRest(before, body) : (body as AutomationBody));
      watch.forget();
      const after = await getAutomation(ctx, actor, params.id);
      return ok(recordFor(actor, after, documentAutomation));
    },
    {
      optional: ['name', 'conditions_body'],
      programs: { translate: readAutomation, ignores: ['company_id'], types: automationTypes },
    },
  );
  formRoute(app, 'automations/remove', async ({ ctx, actor, origin, params }) => {
    await removeAutomation(ctx, { actor, origin }, params.id);
    watch.forget();
    return ok();
  });
  formRoute(app, 'automations/restore', async ({ ctx, actor, origin, params, body }) => {
    await restoreVersion(ctx, { actor, origin }, params.id, body.version);
    watch.forget();
    return ok(await getAutomation(ctx, actor, params.id));
  });
  const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
  route(app, {
    method: 'PUT',
    path: '/automations/activate',
    access: { permission: 'update_automations' },
    summary: 'Turns automations on or off.',
    tag,
    body: Type.Object(
      { enable: Type.Boolean(), automations: Type.Array(id, { minItems: 1, maxItems: 500, uniqueItems: true }) },
      { additionalProperties: false },
    ),
    programs: { translate: readOnlyOne },
    async handler({ ctx, actor, origin, body }) {
      await activate(ctx, { actor, origin }, body.automations, body.enable);
      watch.forget();
      return ok();
    },
  });
  route(app, {
    method: 'POST',
    path: '/automations/back-test',
    access,
    summary:
      'How often a rule would have acted in the last 30 days, on at most 10,000 of its devices, by what is kept of them; nothing is done.',
    tag,
    body: Type.Unsafe<{ automation_id: number }>({
      type: 'object',
      additionalProperties: false,
      required: ['automation_id'],
      properties: { automation_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
    }),
    cost: 'processor',
    async handler({ ctx, actor, body, signal }) {
      const automation = await requireAutomation(ctx.reads, actor, body.automation_id);
      const rule = ruleOf(automation);
      await assertRule(ctx, ctx.reads, actor, rule.branches);
      return ok(await backTest(ctx, rule, await devicesForTest(ctx, actor, automation), signal));
    },
  });
}

function registerReading(app: App): void {
  listRoute(app, {
    path: '/automations',
    access,
    summary: 'What happens by itself when devices report something.',
    tag,
    rules: listRulesOf('automations', { sorts: ['id'] }),
    list: (ctx, actor, query) => listAutomations(ctx.reads, actor, query),
    documented: { fields: [], types: automationTypes, extend: async (_ctx, _actor, rows) => rows.map(documentAutomation) },
  });
  route(app, {
    method: 'GET',
    path: '/automations/parameters',
    access,
    summary: 'What conditions may speak of, with the operators of each.',
    tag,
    handler: async () =>
      ok(RULE_PARAMETERS.map(({ name, type, values }) => ({ name, type, values: values ?? [], operators: ruleOperatorsOf(type) }))),
  });
  route(app, {
    method: 'GET',
    path: '/automations/forms',
    access,
    summary: 'The forms that the action RunForm may send over a device, by their ids.',
    tag,
    handler: async ({ ctx, actor }) => ok(listRuleForms(ctx, actor)),
  });
  route(app, {
    method: 'GET',
    path: '/automations/:id',
    access,
    summary: 'One automation.',
    tag,
    params: idParams,
    programs: { types: automationTypes },
    async handler({ ctx, actor, params }) {
      const automation = await getAutomation(ctx, actor, params.id);
      return ok(recordFor(actor, automation, documentAutomation));
    },
  });
  route(app, {
    method: 'GET',
    path: '/automations/:id/versions',
    access,
    summary: 'The rules that an automation has had, the newest first.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await listVersions(ctx, actor, params.id)),
  });
  const rules = listRulesOf('automation-logs', { sorts: ['id'] });
  listRoute(app, {
    path: '/automation-logs',
    access,
    summary: 'What automations did, and why.',
    tag,
    rules,
    list: (ctx, actor, query) => listLogs(ctx, actor, query),
  });
  listRoute(app, {
    path: '/automations/:id/logs',
    access,
    summary: 'What one automation did, and why.',
    tag,
    rules,
    params: idParams,
    list: async (ctx, actor, query, params) => {
      await requireAutomation(ctx.reads, actor, params.id);
      return listLogs(ctx, actor, query, params.id);
    },
    documented: { fields: ['mac', 'conditions_body'], types: logListTypes, extend: documentLogList },
  });
  const pair = Type.Object({ id: Type.Integer({ minimum: 1 }), log_id: Type.Integer({ minimum: 1 }) });
  route(app, {
    method: 'GET',
    path: '/automations/:id/logs/:log_id',
    access,
    summary: 'One time that an automation acted.',
    tag,
    params: pair,
    programs: { types: logRecordTypes },
    async handler({ ctx, actor, params }) {
      const log = await getLog(ctx, actor, params.id, params.log_id);
      const [documented] = isProgram(actor) ? await documentLogRecords(ctx, actor, [log]) : [];
      return ok(recordFor(actor, log, () => documented ?? log));
    },
  });
  route(app, {
    method: 'GET',
    path: '/automations/:id/explain/:device_id',
    access,
    summary: 'Why an automation has or has not acted on a device: its conditions with the values of now.',
    tag,
    params: Type.Object({ id: Type.Integer({ minimum: 1 }), device_id: Type.Integer({ minimum: 1 }) }),
    async handler({ ctx, actor, params }) {
      const automation = await requireAutomation(ctx.reads, actor, params.id);
      const { id } = await requireDevice(ctx.reads, actor, params.device_id);
      const device = await ctx.reads.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      return ok(await explain(ctx, automation, device));
    },
  });
}

/** Automations: rules over what devices report, what they do, and the alerts that they raise. */
export function registerAutomations(app: App): void {
  const watch = runInBackground(app);
  registerReading(app);
  registerChanging(app, watch);
  registerDeviceRoutes(app, watch);
  registerAlerts(app);
  registerAlertConfigurations(app, watch);
}
