import { sql } from 'kysely';
import type { Alert } from '../../../schemas/_generated/contract.ts';
import { flappingSentence, withConditions } from '../../../schemas/kit/resources/rule-sentence.ts';
import { alertSubtypeOf, alertSubtypesOf } from '../../../schemas/kit/resources/alert-types.ts';
import type { Context } from '../../context.ts';
import type { Changes, Db, Row } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import {
  applyListQuery,
  containsAny,
  containsText,
  inOrderOf,
  integers,
  isOneOf,
  type ListColumns,
} from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { HOUR, wireTime } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

type AlertRow = Row<'alerts'> & {
  device_name: string;
  company_name: string;
  company_path: string;
  cause_name: string | null;
  subtype_id: number | null;
  config_id: number | null;
  seen_automation_id: number | null;
};

/** The type of alerts that no configuration of a device set up. */
const OF_AUTOMATION = 'automation';
const NO_SUBTYPE = 0;

/** How the list of alerts is asked of the database. */
export const columns: ListColumns = {
  id: sql.ref('alerts.id'),
  sorts: { id: { by: sql.ref('alerts.id') }, created_at: { by: sql.ref('alerts.id') }, device_name: { by: sql.ref('devices.name_key') } },
  filters: {
    device_id: (values) => isOneOf(sql.ref('alerts.device_id'), integers(values)),
    company_id: (values) => isWithin(sql.ref('devices.company_id'), integers(values)),
    is_silenced: (values) =>
      isOneOf(
        sql`case when alerts.cause_device_id is null then 'false' else 'true' end`,
        values.map((value) => (value === 'true' || value === '1' ? 'true' : 'false')),
      ),
    type: (values) =>
      isOneOf(sql`case when config.id is null then ${NO_SUBTYPE} else config.subtype_id end`, [
        ...alertSubtypesOf(values),
        ...(values.includes(OF_AUTOMATION) ? [NO_SUBTYPE] : []),
      ]),
    alerts_configs_id: (values) => isOneOf(sql.ref('config.id'), integers(values)),
    cause_device_id: (values) => isOneOf(sql.ref('alerts.cause_device_id'), integers(values)),
    name: (values) => containsAny(sql.ref('alerts.name'), values),
    severity: (values) => isOneOf(sql.ref('alerts.severity'), values),
    state: (values) =>
      isOneOf(
        sql`case when alerts.ended_at is not null then 'ended' when alerts.acknowledged_at is not null then 'acknowledged' else 'open' end`,
        values,
      ),
  },
  search: (text) =>
    containsText([sql.ref('alerts.name'), sql.ref('alerts.message'), sql.ref('alerts.conditions'), sql.ref('devices.name')], text),
};

function present(row: AlertRow, language: Language): Alert {
  const subtype = row.subtype_id === null ? undefined : alertSubtypeOf(row.subtype_id);
  return {
    id: row.id,
    device_id: row.device_id,
    device_name: row.device_name,
    company_id: row.company_id,
    company_name: row.company_name,
    automation_id: row.seen_automation_id,
    name: row.name,
    severity: row.severity,
    message: [withConditions(row.message, row.conditions, language), flappingSentence(row.flapped, language)].join(' ').trim(),
    alert_type: subtype?.type ?? OF_AUTOMATION,
    alert_subtype: subtype?.text ?? row.name,
    alert_type_id: subtype?.typeId ?? null,
    alert_subtype_id: subtype?.id ?? null,
    alerts_configs_id: row.config_id,
    state: row.ended_at === null ? (row.acknowledged_at === null ? 'open' : 'acknowledged') : 'ended',
    created_at: wireTime(row.raised_at),
    ended_at: wireTime(row.ended_at),
    acknowledged_at: wireTime(row.acknowledged_at),
    acknowledged_by: row.acknowledged_by,
    snoozed_until: wireTime(row.snoozed_until),
    cause_device_id: row.cause_device_id,
    cause_device_name: row.cause_name,
    is_silenced: row.cause_device_id !== null,
  };
}

/** The alerts that the actor sees, with their devices and companies. */
export const selectAlerts = (db: Db, actor: Actor) =>
  db
    .selectFrom('alerts')
    .innerJoin('devices', 'devices.id', 'alerts.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .leftJoin('devices as cause', 'cause.id', 'alerts.cause_device_id')
    .leftJoin('alert_configurations as config', 'config.automation_id', 'alerts.automation_id')
    .where(isVisible(actor, 'devices'))
    // What was raised while the device was with another company stays with that one.
    .where(isVisible(actor, 'alerts'));

/** The same with what is shown of them; whose automation the actor does not see, such as one of a company above, comes without it. */
const selectNamed = (db: Db, actor: Actor) =>
  selectAlerts(db, actor)
    .leftJoin('automations', (join) => join.onRef('automations.id', '=', 'alerts.automation_id').on(isVisible(actor, 'automations')))
    .selectAll('alerts')
    .select([
      'devices.name as device_name',
      'companies.name as company_name',
      'companies.path as company_path',
      'cause.name as cause_name',
      'config.subtype_id',
      'config.id as config_id',
      'automations.id as seen_automation_id',
    ]);

/** One page of alerts of devices that the actor sees, with messages in a language. */
export async function listAlerts(
  ctx: Context,
  actor: Actor,
  query: ListQuery,
  _params: unknown,
  language: Language,
): Promise<{ rows: Alert[]; total: number }> {
  const { rows, total } = await applyListQuery(selectAlerts(ctx.reads, actor).select('alerts.id'), query, columns);
  const ids = rows.map(({ id }) => id);
  const found = await selectNamed(ctx.reads, actor).where('alerts.id', 'in', ids).execute();
  return { rows: inOrderOf(ids, found).map((row) => present(row, language)), total };
}

async function requireAlert(db: Db, actor: Actor, id: number): Promise<AlertRow> {
  const row = await selectNamed(db, actor).where('alerts.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** One alert, with its message in a language. Throws NOT_FOUND. */
export async function getAlert(ctx: Context, actor: Actor, id: number, language: Language): Promise<Alert> {
  return present(await requireAlert(ctx.reads, actor, id), language);
}

async function change(ctx: Context, caller: Caller, id: number, action: string, set: Changes<'alerts'> | null): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireAlert(trx, caller.actor, id);
    if (set) await trx.updateTable('alerts').set(set).where('id', '=', id).execute();
    else await trx.deleteFrom('alerts').where('id', '=', id).execute();
    const entry = { action: `alerts.${action}`, entity: 'alert', entityId: id, entityName: row.name, companyId: row.company_id };
    await writeAudit(trx, { actor: caller.actor, origin: caller.origin, at }, [
      {
        ...entry,
        before: { device_id: row.device_id, message: withConditions(row.message, row.conditions, 'en') },
        after: set ? { ...set } : null,
      },
    ]);
    const { company_id, device_id, company_path } = row;
    afterCommit(trx, () => ctx.live.publishBelow(company_path, 'alerts', 'AlertChanged', { id, company_id, device_id }));
  });
}

/** Says that somebody looks after an alert. Throws NOT_FOUND. */
export function acknowledge(ctx: Context, caller: Caller, id: number): Promise<void> {
  return change(ctx, caller, id, 'acknowledge', { acknowledged_at: ctx.clock.now(), acknowledged_by: caller.actor.name });
}

/** Puts an alert out of the way for some hours. Throws NOT_FOUND. */
export function snooze(ctx: Context, caller: Caller, id: number, hours: number): Promise<void> {
  return change(ctx, caller, id, 'snooze', { snoozed_until: ctx.clock.now() + hours * HOUR });
}

/** Removes an alert. Throws NOT_FOUND. */
export function removeAlert(ctx: Context, caller: Caller, id: number): Promise<void> {
  return change(ctx, caller, id, 'remove', null);
}
