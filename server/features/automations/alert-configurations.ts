import { sql } from 'kysely';
import type { AlertConfiguration } from '../../../schemas/_generated/contract.ts';
import {
  alertSubtypeOf,
  alertSubtypesOf,
  CONNECTION_TYPE,
  DATA_LIMIT_SUBTYPE,
  GEOFENCE_TYPE,
} from '../../../schemas/kit/resources/alert-types.ts';
import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { findMailServer } from '../../kernel/mail/mailer-for.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { insertAutomation, removeAutomation, updateAutomation, type AutomationBody } from './service.ts';
import type { Action } from './types.ts';

const DEFAULT_MESSAGE = 'Router name - %rn; Event type - %et; Event text - %ex; Time stamp - %ts';
const MINUTE_SECONDS = 60;

/** An alert of a device as it is asked for. */
export interface AlertSettings {
  alert_subtype_id: number;
  alert_type_id?: number | undefined;
  action?: 1 | 2 | 3 | undefined;
  subject?: string | undefined;
  message?: string | undefined;
  email?: string | undefined;
  smtp_config_id?: number | null | undefined;
  delivery_retry?: boolean | undefined;
  retry_interval?: number | undefined;
  retry_count?: number | undefined;
  redundancy_enable?: boolean | undefined;
  redundancy_interval?: number | null | undefined;
  data_limit?: number | undefined;
  sim?: 1 | 2 | undefined;
  period?: 'day' | 'week' | 'month' | undefined;
  starts?: number | undefined;
  phone?: string | undefined;
  latitude?: number | undefined;
  longitude?: number | undefined;
  radius?: number | undefined;
}

const NEEDED = 'Enter a value.';

/** Throws INVALID_FIELD at what an alert of this kind needs and does not have, below `source`. */
export function assertAlert(settings: AlertSettings, source: string): void {
  const subtype = alertSubtypeOf(settings.alert_subtype_id);
  const at = (field: string, message = NEEDED, key = 'value') => ({
    source: `${source}${field}`,
    message,
    params: { key: `forms.automations.fault.${key}` },
  });
  if (!subtype) throw new InvalidFields([at('alert_subtype_id', 'This kind of alert does not exist.', 'alert_kind')]);
  const { typeId, id } = subtype;
  if (settings.alert_type_id !== undefined && settings.alert_type_id !== typeId)
    throw new InvalidFields([at('alert_type_id', `This kind of alert is of type ${typeId}.`, 'alert_kind')]);
  const needed: (keyof AlertSettings)[] = [
    ...(id === DATA_LIMIT_SUBTYPE ? (['data_limit', 'sim', 'period'] as const) : []),
    ...(typeId === GEOFENCE_TYPE ? (['latitude', 'longitude', 'radius'] as const) : []),
  ];
  const faults = needed.filter((name) => settings[name] === undefined).map((name) => at(name));
  if (settings.starts !== undefined && settings.starts !== 1)
    faults.push(at('starts', 'Days, weeks and months are counted from their first day.', 'alert_starts'));
  if (faults.length > 0) throw new InvalidFields(faults);
}

/** The rule of an alert: raised as long as it holds, mailed or notified once in its redundancy interval. */
function ruleOf(settings: AlertSettings, actor: Actor, enabled: boolean): AutomationBody {
  const subtype = alertSubtypeOf(settings.alert_subtype_id);
  if (!subtype) throw new NotFound({});
  const { latitude, longitude, radius, data_limit: limit, period = 'month', sim = 1, action = 2 } = settings;
  const words: Record<string, string> = { area: `${latitude},${longitude},${radius}`, limit: String(limit ?? 0), period, sim: String(sim) };
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
  const { parameter, operator, value } = subtype.condition;
  const message = (settings.message ?? DEFAULT_MESSAGE).replaceAll('%et', subtype.type).replaceAll('%ex', subtype.text);
  const actions: Action[] = [{ name: 'RaiseAlert', options: { severity: 'warning', message } }];
  const email = settings.email ?? actor.email;
  if (action !== 2)
    actions.push({
      name: 'SendEmail',
      options: {
        ...{ receiving_emails: [email], subject: settings.subject || subtype.text, message },
        ...(settings.smtp_config_id ? { smtp_config_id: settings.smtp_config_id } : {}),
      },
    });
  if (action !== 1) actions.push({ name: 'SendNotification', options: { receiving_users: [actor.userId], message } });
  const expression = [{ parameter: fill(parameter), operator, ...(value === undefined ? {} : { value: fill(value) }) }];
  const isRedundant = subtype.typeId !== CONNECTION_TYPE && (settings.redundancy_enable ?? true);
  return {
    name: `${subtype.type}: ${subtype.text}`,
    description: '',
    applies_to: 'device',
    conditions_body: [{ type: 'if', expression, actions }],
    cooldown_duration: isRedundant ? (settings.redundancy_interval ?? 0) * MINUTE_SECONDS : 0,
    enabled,
  } as unknown as AutomationBody;
}

function columnsOf(settings: AlertSettings, at: number) {
  const { alert_subtype_id, action = 2, subject = '', message = DEFAULT_MESSAGE, email = '', smtp_config_id = null } = settings;
  const { redundancy_enable = true, redundancy_interval, alert_type_id: _type, ...rest } = settings;
  const flag: 0 | 1 = redundancy_enable ? 1 : 0;
  return {
    ...{ subtype_id: alert_subtype_id, action, subject, message, email, smtp_config_id },
    ...{ redundancy_enable: flag, redundancy_interval: redundancy_interval ?? 0, details: JSON.stringify(rest), updated_at: at },
  };
}

/** Throws INVALID_FIELD for a device whose firmware leaves alerts to automations. */
export function assertLegacy(device: Pick<Row<'devices'>, 'model' | 'firmware' | 'name'>, source: string): void {
  if (supports(device, 'legacy_alerts')) return;
  throw new InvalidFields([
    {
      source,
      message: `"${device.name}" takes no alerts of its own: from firmware 07.13 on there are automations.`,
      params: { key: 'forms.devices.new-alert.not_legacy', device: device.name },
    },
  ]);
}

/** Adds an alert to devices that the actor sees. Throws as `assertAlert` and `assertLegacy`. */
export async function addConfigurations(
  ctx: Context,
  trx: Trx,
  caller: Caller,
  devices: readonly Row<'devices'>[],
  settings: AlertSettings,
): Promise<void> {
  const at = ctx.clock.now();
  // Programs name servers that are no longer there; then the default one carries the mail.
  const smtp_config_id = await findMailServer(trx, caller.actor, settings.smtp_config_id);
  for (const device of devices) {
    const rule = { ...ruleOf({ ...settings, smtp_config_id }, caller.actor, true), company_id: device.company_id, device_ids: [device.id] };
    const automationId = await insertAutomation(ctx, trx, caller, rule as unknown as Parameters<typeof insertAutomation>[3]);
    const row = {
      ...columnsOf(settings, at),
      device_id: device.id,
      automation_id: automationId,
      created_by: caller.actor.userId,
      created_at: at,
    };
    await trx.insertInto('alert_configurations').values(row).execute();
  }
}

type Found = Row<'alert_configurations'> & {
  device_name: string;
  company_id: number;
  company_name: string;
  is_enabled: 0 | 1;
  user_name: string;
};

const visible = (db: Db, actor: Actor) =>
  db
    .selectFrom('alert_configurations')
    .innerJoin('devices', 'devices.id', 'alert_configurations.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .innerJoin('automations', 'automations.id', 'alert_configurations.automation_id')
    .where(isVisible(actor, 'devices'))
    .where(isVisible(actor, 'automations'));

const columns: ListColumns = {
  id: sql.ref('alert_configurations.id'),
  sorts: {
    id: { by: sql.ref('alert_configurations.id') },
    device_name: { by: sql.ref('devices.name_key') },
    created_at: { by: sql.ref('alert_configurations.id') },
  },
  filters: {
    device_id: (values) => isOneOf(sql.ref('alert_configurations.device_id'), integers(values)),
    company_id: (values) => isWithin(sql.ref('devices.company_id'), integers(values)),
    user_id: (values) => isOneOf(sql.ref('alert_configurations.created_by'), integers(values)),
    alert_subtype_id: (values) => isOneOf(sql.ref('alert_configurations.subtype_id'), integers(values)),
    type: (values) => isOneOf(sql.ref('alert_configurations.subtype_id'), alertSubtypesOf(values)),
  },
  search: (text) => containsText([sql.ref('devices.name'), sql.ref('alert_configurations.message')], text),
};

function present(row: Found): AlertConfiguration {
  const subtype = alertSubtypeOf(row.subtype_id);
  return {
    id: row.id,
    device_id: row.device_id,
    device_name: row.device_name,
    company_id: row.company_id,
    company_name: row.company_name,
    automation_id: row.automation_id,
    type: subtype?.type ?? '',
    subtype: subtype?.text ?? '',
    alert_type_id: subtype?.typeId ?? 0,
    alert_subtype_id: row.subtype_id,
    action: row.action,
    smtp_config_id: row.smtp_config_id,
    receiver: row.email || null,
    email_to: row.email || null,
    subject: row.subject || null,
    message: row.message,
    email_type: row.action !== 2,
    enable: row.is_enabled === 1,
    redundancy_enable: row.redundancy_enable === 1,
    redundancy_interval: row.redundancy_interval,
    user_id: row.created_by,
    user_name: row.user_name,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

async function find(db: Db, actor: Actor, ids: readonly number[]): Promise<Found[]> {
  return visible(db, actor)
    .selectAll('alert_configurations')
    .select(['devices.name as device_name', 'devices.company_id', 'companies.name as company_name'])
    .select(['automations.is_enabled', 'automations.user_name'])
    .where('alert_configurations.id', 'in', ids)
    .execute();
}

async function requireOne(db: Db, actor: Actor, id: number): Promise<Found> {
  const [row] = await find(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

/** One page of the alerts that are set up on devices that the actor sees. */
export async function listConfigurations(
  ctx: Context,
  actor: Actor,
  query: ListQuery,
): Promise<{ rows: AlertConfiguration[]; total: number }> {
  const { rows, total } = await applyListQuery(visible(ctx.reads, actor).select('alert_configurations.id'), query, columns);
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await find(ctx.reads, actor, ids)).map(present), total };
}

/** One alert that is set up on a device. Throws NOT_FOUND. */
export async function getConfiguration(ctx: Context, actor: Actor, id: number): Promise<AlertConfiguration> {
  return present(await requireOne(ctx.reads, actor, id));
}

/** Changes an alert; it acts with the rights of who changed it from now on. Throws NOT_FOUND. */
export async function editConfiguration(
  ctx: Context,
  caller: Caller,
  id: number,
  change: Pick<AlertSettings, 'subject' | 'message' | 'redundancy_enable' | 'redundancy_interval' | 'smtp_config_id'> & {
    enable?: boolean | undefined;
  },
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireOne(trx, caller.actor, id);
    const { enable = row.is_enabled === 1, ...given } = change;
    const former = {
      ...(JSON.parse(row.details) as AlertSettings),
      ...{ redundancy_enable: row.redundancy_enable === 1, redundancy_interval: row.redundancy_interval },
    };
    const settings = { ...former, ...given };
    const smtp_config_id = await findMailServer(trx, caller.actor, settings.smtp_config_id);
    await updateAutomation(ctx, trx, caller, row.automation_id, {
      ...ruleOf({ ...settings, smtp_config_id }, caller.actor, enable),
      device_ids: [row.device_id],
    } as AutomationBody);
    await trx.updateTable('alert_configurations').set(columnsOf(settings, at)).where('id', '=', id).execute();
  });
}

/** Takes an alert off a device, with its rule. Throws NOT_FOUND, also where it is of another device than `deviceId`. */
export async function removeConfiguration(ctx: Context, caller: Caller, id: number, deviceId?: number): Promise<void> {
  const row = await requireOne(ctx.reads, caller.actor, id);
  if (deviceId !== undefined && row.device_id !== deviceId) throw new NotFound({});
  await removeAutomation(ctx, caller, row.automation_id);
}

/** The devices of a call that sets up alerts, each with what it gets. Throws NOT_FOUND, INVALID_FIELD below `data`. */
export async function checkAlerts(ctx: Context, actor: Actor, data: readonly (AlertSettings & { device_id: number })[]): Promise<void> {
  for (const [index, settings] of data.entries()) {
    const source = `data.${index}.`;
    assertAlert(settings, source);
    assertLegacy(await requireDevice(ctx.reads, actor, settings.device_id), `${source}device_id`);
  }
}
