import { created, ok } from '../../kernel/answer.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { handOverAlerts } from './hand-over-alerts.ts';
import { sendAlertMails } from './alert-mails.ts';
import { deliverNotices, endNoticeCauses } from './deliver.ts';
import { getDigest, saveDigest, sendDigests } from './digest.ts';
import { listNotifications, markSeen } from './repo.ts';
import { addRule, editRule, getRule, listRules, removeRule } from './rules.ts';
import type { ListRules, ListQuery } from '../../kernel/list-query.ts';

const tag = 'notifications';
const DELIVERY_PERIOD_MS = 2 * SECOND;
const DIGEST_PERIOD_MS = 5 * MINUTE;
const ALERT_PERIOD_MS = 10 * SECOND;

const seenBody = Type.Object(
  { id: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), { minItems: 1, maxItems: 1000 }) },
  { additionalProperties: false },
);

function registerRules(app: App): void {
  listRoute(app, {
    path: '/notifications/rules',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Notification settings of the caller.',
    tag,
    rules: listRulesOf('notification-rules'),
    list: listRules,
  });
  formRoute(
    app,
    'notifications/new-rule',
    async ({ ctx, actor, body }) => {
      await addRule(ctx, actor, body);
      return created();
    },
    { tokens: 'none' },
  );
  route(app, {
    method: 'GET',
    path: '/notifications/rules/:id',
    access: 'signed-in',
    tokens: 'none',
    summary: 'One rule.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getRule(ctx, actor, params.id)),
  });
  formRoute(
    app,
    'notifications/edit-rule',
    async ({ ctx, actor, params, body }) => {
      await editRule(ctx, actor, params.id, body);
      return ok();
    },
    { tokens: 'none' },
  );
  formRoute(
    app,
    'notifications/remove-rule',
    async ({ ctx, actor, params }) => {
      await removeRule(ctx, actor, params.id);
      return ok();
    },
    { tokens: 'none' },
  );
  listRoute(app, {
    path: '/timezones',
    access: 'signed-in',
    tokens: 'all',
    summary: 'The time zones that this server knows.',
    tag,
    rules: zoneRules,
    list: async (_ctx, _actor, query) => listZones(query),
  });
  route(app, {
    method: 'GET',
    path: '/notifications/digest',
    access: 'signed-in',
    tokens: 'none',
    summary: 'When the caller gets the daily mail.',
    tag,
    handler: async ({ ctx, actor }) => ok(await getDigest(ctx, actor)),
  });
  formRoute(
    app,
    'notifications/digest',
    async ({ ctx, actor, body, request }) => {
      await saveDigest(ctx, actor, body, languageOfCall(request.headers));
      return ok();
    },
    { tokens: 'none' },
  );
}

/** Makes and sends notifications while the server runs. */
function keepTelling({ ctx, fastify }: App): void {
  const stops: (() => void)[] = [];
  fastify.addHook('onReady', async () => {
    stops.push(
      ctx.clock.every(DELIVERY_PERIOD_MS, () => deliverNotices(ctx)),
      ctx.clock.every(ALERT_PERIOD_MS, async () => {
        await endNoticeCauses(ctx);
        await handOverAlerts(ctx);
        await sendAlertMails(ctx);
      }),
      ctx.clock.every(DIGEST_PERIOD_MS, () => sendDigests(ctx)),
    );
  });
  fastify.addHook('onClose', async () => {
    for (const stop of stops) stop();
  });
}

/** Registers the room of notifications. They are a user's own, so it is not in the history. */
export function registerNotifications(app: App): void {
  listRoute(app, {
    path: '/notifications',
    access: 'signed-in',
    tokens: 'none',
    summary: "The caller's notifications.",
    tag,
    rules: listRulesOf('notifications'),
    list: (ctx, actor, query) => listNotifications(ctx.reads, actor, query),
  });
  route(app, {
    method: 'PUT',
    path: '/notifications',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Marks notifications as seen.',
    tag,
    body: seenBody,
    async handler({ ctx, actor, body }) {
      await markSeen(ctx, actor, body.id);
      return ok();
    },
  });
  registerRules(app);
  keepTelling(app);
}

/** What a list call may ask of the time zones. */
export const zoneRules: ListRules = {
  sorts: new Set(['name']),
  filters: new Map(),
  fields: new Map([['name', undefined]]),
  defaultSort: { key: 'name', isDescending: false },
  isSearchable: true,
};

/** One page of the time zones (IANA names). */
export function listZones({ q = '', sort, limit, offset }: ListQuery): { rows: { name: string }[]; total: number } {
  const text = q.toLowerCase().replaceAll(' ', '_');
  const found = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((name) => name.toLowerCase().includes(text));
  const sorted = sort[0]?.isDescending ? found.toReversed() : found;
  return { rows: sorted.slice(offset, offset + limit).map((name) => ({ name })), total: found.length };
}
