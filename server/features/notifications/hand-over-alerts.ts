import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { nearestOn } from '../../kernel/mail/nearest.ts';
import { queueAlertNotices } from '../../domain/alert-notices.ts';
import { isAboutSilence } from '../../domain/devices/silence.ts';
import { shiftAt } from '../../domain/on-call/rota.ts';
import { isReason, isSettled, silentRouters } from '../../domain/places/site-routers.ts';
import { isWithin } from '../../kernel/tenancy.ts';
import { deviceOpenings } from '../../domain/maintenance-windows/device-windows.ts';
import { queueAlerts, type QueuedAlert } from './alert-mails.ts';
import { findMailRecipients, severitiesFrom } from './recipients.ts';

/** So long alerts are collected before the first of them is mailed. */
const SETTLE_MS = 20 * SECOND;
const ALERTS_AT_ONCE = 300;

type Alert = Row<'alerts'>;
const STEPS = ['on-call', 'next', 'everybody'] as const;

const unanswered = sql<boolean>`ended_at is null and acknowledged_at is null and cause_device_id is null`;
const isAwake = (now: number) => sql<boolean>`(snoozed_until is null or snoozed_until <= ${now})`;

interface Device {
  id: number;
  name: string;
  company_path: string;
  timezone: string | null;
}

async function devicesOf(ctx: Context, trx: Trx, alerts: readonly Alert[]): Promise<Map<number, Device>> {
  const rows = await trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.id', 'devices.name', 'devices.timezone', 'companies.path as company_path'])
    .where('devices.id', 'in', ctx.database.tools.idList(alerts.map(({ device_id }) => device_id)))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Silences those alerts that the silence of the router of their device's site explains; answers the others. */
async function withoutCauses(ctx: Context, trx: Trx, alerts: readonly Alert[]): Promise<Alert[]> {
  const routers = await silentRouters(ctx, trx, [...new Set(alerts.map(({ device_id }) => device_id))]);
  if (routers.size === 0) return [...alerts];
  const offline = await trx
    .selectFrom('devices')
    .select('id')
    .where('id', 'in', ctx.database.tools.idList([...routers.keys()]))
    .where('status', '=', 0)
    .execute();
  const offlineIds = new Set(offline.map(({ id }) => id));
  const isBehind = ({ device_id: id, conditions }: Alert): boolean =>
    routers.has(id) && isAboutSilence(conditions === null ? [] : JSON.parse(conditions), offlineIds.has(id));
  for (const [router, own] of Map.groupBy(alerts.filter(isBehind), ({ device_id }) => routers.get(device_id) ?? 0))
    await trx
      .updateTable('alerts')
      .set({ cause_device_id: router, told_at: null, noticed_at: null })
      .where('id', 'in', ctx.database.tools.idList(own.map(({ id }) => id)))
      .execute();
  return alerts.filter((alert) => !isBehind(alert));
}

/** Puts off what happens while its device may be worked on; answers the others. */
async function withoutMaintenance(
  ctx: Context,
  trx: Trx,
  alerts: readonly Alert[],
  devices: ReadonlyMap<number, Device>,
): Promise<Alert[]> {
  const now = ctx.clock.now();
  const openings = await deviceOpenings(ctx, trx, [...devices.values()], now);
  const endOf = ({ device_id }: Alert): number => {
    const opening = openings.get(device_id);
    return opening && opening.from <= now ? opening.to : 0;
  };
  for (const [end, own] of Map.groupBy(alerts, endOf))
    if (end > 0)
      await trx
        .updateTable('alerts')
        .set({ snoozed_until: end, told_at: null })
        .where('id', 'in', ctx.database.tools.idList(own.map(({ id }) => id)))
        .execute();
  return alerts.filter((alert) => endOf(alert) === 0);
}

const queued = (alert: Alert, devices: ReadonlyMap<number, Device>): QueuedAlert => ({
  companyId: alert.company_id,
  name: alert.name,
  severity: alert.severity,
  device: devices.get(alert.device_id)?.name ?? '',
});

/** Hands some alerts that nobody was notified of to those who want them by mail; false when none is left. */
async function handOverSome(ctx: Context): Promise<boolean> {
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const taken = await trx
      .updateTable('alerts')
      .set({ told_at: now })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('alerts as waiting')
          .select('waiting.id')
          .where('waiting.told_at', 'is', null)
          .where('waiting.noticed_at', 'is not', null)
          .where(unanswered)
          .where(isAwake(now))
          .where('waiting.raised_at', '<=', now - SETTLE_MS)
          .orderBy('waiting.id')
          .limit(ALERTS_AT_ONCE),
      )
      .returningAll()
      .execute();
    const devices = await devicesOf(ctx, trx, taken);
    const rest = await withoutMaintenance(ctx, trx, await withoutCauses(ctx, trx, taken), devices);
    const companies = await trx
      .selectFrom('companies')
      .select(['id', 'path'])
      .where('id', 'in', [...new Set(rest.map(({ company_id }) => company_id))])
      .execute();
    for (const company of companies)
      for (const [severity, own] of Map.groupBy(
        rest.filter(({ company_id }) => company_id === company.id),
        (alert) => alert.severity,
      )) {
        const alerts = own.map((alert) => queued(alert, devices));
        for (const userId of await findMailRecipients(trx, company, severity))
          await queueAlerts(trx, { userId, reason: 'rule', at: now }, alerts);
      }
    return taken.length === ALERTS_AT_ONCE;
  });
}

/** Notifies people of some silent devices once it is known whether the router of their site is silent as well; false when none is left. */
async function noticeSome(ctx: Context): Promise<boolean> {
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const taken = await trx
      .updateTable('alerts')
      .set({ noticed_at: now })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('alerts as waiting')
          .select('waiting.id')
          .where('waiting.noticed_at', 'is', null)
          .where('waiting.cause_device_id', 'is', null)
          .where(isSettled(now, { device: 'waiting.device_id', since: 'waiting.raised_at' }))
          .orderBy('waiting.id')
          .limit(ALERTS_AT_ONCE),
      )
      .returningAll()
      .execute();
    await queueAlertNotices(trx, now, await withoutCauses(ctx, trx, taken));
    return taken.length === ALERTS_AT_ONCE;
  });
}

/** Alerts whose cause is over are news now. */
async function endCauses(ctx: Context): Promise<void> {
  await ctx.db
    .updateTable('alerts')
    .set({ cause_device_id: null, told_at: null, noticed_at: null })
    .where('ended_at', 'is', null)
    .where('cause_device_id', 'is not', null)
    .where('cause_device_id', 'not in', (eb) => eb.selectFrom('devices').select('devices.id').where(isReason(ctx.clock.now(), 'devices')))
    .execute();
}

type Schedule = Row<'on_call_schedules'>;

/** The companies for which a schedule is the nearest one. */
async function companiesOf(ctx: Context, schedule: Schedule, all: readonly Schedule[]): Promise<number[]> {
  const rows = await ctx.reads
    .selectFrom('companies')
    .select(['id', 'path'])
    .where(isWithin(sql.ref('companies.id'), [schedule.company_id]))
    .execute();
  return rows.filter(({ path }) => nearestOn(path, all)?.id === schedule.id).map(({ id }) => id);
}

/** Hands some alerts that nobody has answered to a step of a schedule; false when none is left. */
async function escalateSome(ctx: Context, schedule: Schedule, companies: readonly number[], step: number, people: readonly number[]) {
  const now = ctx.clock.now();
  const minutes = schedule.after_minutes + step * schedule.next_minutes;
  return inTransaction(ctx.db, async (trx) => {
    const due = await trx
      .updateTable('alerts')
      .set({ escalated: step + 1 })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('alerts as waiting')
          .select('waiting.id')
          .where('waiting.escalated', '=', step)
          .where(unanswered)
          .where(isAwake(now))
          .where('waiting.told_at', 'is not', null)
          .where('waiting.raised_at', '<=', now - minutes * MINUTE)
          .where('waiting.severity', 'in', severitiesFrom(schedule.least_severity))
          .where('waiting.company_id', 'in', ctx.database.tools.idList(companies))
          .orderBy('waiting.id')
          .limit(ALERTS_AT_ONCE),
      )
      .returningAll()
      .execute();
    if (due.length === 0) return false;
    const devices = await devicesOf(ctx, trx, due);
    const alerts = due.map((alert) => queued(alert, devices));
    for (const userId of new Set(people)) await queueAlerts(trx, { userId, reason: STEPS[step] ?? 'everybody', at: now }, alerts);
    return due.length === ALERTS_AT_ONCE;
  });
}

/** Hands alerts that nobody has answered to the next step of a schedule. */
async function escalate(ctx: Context, schedule: Schedule, all: readonly Schedule[]): Promise<void> {
  const shift = shiftAt(schedule, ctx.clock.now());
  if (!shift) return;
  const companies = await companiesOf(ctx, schedule, all);
  const people = [[shift.userId], [shift.nextUserId], shift.userIds];
  for (const step of STEPS.keys()) while (await escalateSome(ctx, schedule, companies, step, people[step] ?? [])) await nextTurn();
}

/** Says again that alerts wait, to those who asked for it and were not mailed for so long. */
async function remind(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const rules = await ctx.reads
    .selectFrom('notification_rules')
    .innerJoin('alert_mail_times', 'alert_mail_times.user_id', 'notification_rules.user_id')
    .select(['notification_rules.user_id', 'company_id', 'alert_mail', 'remind_minutes'])
    .where('remind_minutes', '>', 0)
    .where(sql<boolean>`${now} - alert_mail_times.sent_at >= remind_minutes * ${MINUTE}`)
    .where('notification_rules.user_id', 'not in', (eb) => eb.selectFrom('alert_mails').select('alert_mails.user_id'))
    .execute();
  for (const { user_id: userId, company_id: companyId, alert_mail: least } of rules)
    await inTransaction(ctx.db, async (trx) => {
      const open = await trx
        .selectFrom('alerts')
        .select(['company_id', 'name', 'severity'])
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(unanswered)
        .where(isAwake(now))
        .where('told_at', 'is not', null)
        .where('severity', 'in', severitiesFrom(least))
        .$if(companyId !== null, (query) => query.where(isWithin(sql.ref('alerts.company_id'), [companyId ?? 0])))
        .groupBy(['company_id', 'name', 'severity'])
        .execute();
      for (const one of open) {
        const alert = { companyId: one.company_id, name: one.name, severity: one.severity, device: '', count: Number(one.count) };
        await queueAlerts(trx, { userId, reason: 'reminder', at: now }, [alert]);
      }
    });
}

/** Hands alerts to the people who answer for them: by their own rules, by the on-call schedule of the company, and again until somebody has answered. */
export async function handOverAlerts(ctx: Context): Promise<void> {
  await endCauses(ctx);
  while (await noticeSome(ctx)) await nextTurn();
  while (await handOverSome(ctx)) await nextTurn();
  const schedules = await ctx.reads.selectFrom('on_call_schedules').selectAll().execute();
  for (const schedule of schedules) await escalate(ctx, schedule, schedules);
  await remind(ctx);
}
