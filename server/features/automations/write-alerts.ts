import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { closeIncident, openIncidents } from './device-actions.ts';
import { fillMessage, seenConditions } from './fill-message.ts';
import { isMoment } from './branches.ts';
import { raiseAlerts } from './raise-alerts.ts';
import { ruleOf } from './stored-rule.ts';
import type { Action, State } from './types.ts';

export type Log = Row<'automation_logs'>;
type Device = Row<'devices'> & { company_name: string };

/** An entry of the log whose actions are to be done, with what they need. */
export interface Call {
  ctx: Context;
  actor: Actor;
  automation: Row<'automations'>;
  log: Log;
  device: Device;
  /** What monitoring templates collect that the conditions speak of, by metric. */
  labels: ReadonlyMap<string, string>;
}

/** The conditions that held, as the database keeps them. */
export const conditionsOf = ({ log, labels }: Call): string => JSON.stringify(seenConditions(log.evaluated, labels));

/** Entries whose branch holds no more, before what they ask for was done; by their numbers. */
export async function findOver(ctx: Context, trx: Trx, calls: readonly Call[]): Promise<Set<number>> {
  const logs = calls.map(({ log }) => log);
  const rows = await trx
    .selectFrom('automation_devices')
    .select(['automation_id', 'device_id', 'state'])
    .where('automation_id', 'in', ctx.database.tools.idList([...new Set(logs.map((log) => log.automation_id))]))
    .where('device_id', 'in', ctx.database.tools.idList([...new Set(logs.map((log) => log.device_id))]))
    .execute();
  const states = new Map(rows.map((row) => [`${row.automation_id} ${row.device_id}`, row.state]));
  const isOver = ({ log, automation }: Call): boolean => {
    if (isMoment(ruleOf(automation).branches, log.branch)) return false;
    const text = states.get(`${log.automation_id} ${log.device_id}`);
    const state: State | undefined = text === undefined ? undefined : JSON.parse(text);
    return state?.branches[log.branch]?.fired !== true;
  };
  return new Set(calls.filter(isOver).map(({ log }) => log.id));
}

/** An action of an entry. */
export interface RequestedAction {
  call: Call;
  action: Action;
}

function textsOf({ call, action: { options } }: RequestedAction) {
  const { severity = 'warning', message } = options ?? {};
  const conditions = conditionsOf(call);
  return { companyId: call.device.company_id, severity, message: fillMessage(message || '%ex', call), conditions };
}

/** Raises alerts and opens and closes incidents in the order of what asks for them; what can be written together is. */
export async function writeAlerts(ctx: Context, trx: Trx, requests: readonly RequestedAction[]): Promise<void> {
  const closing = requests.findIndex(({ action }) => action.name === 'CloseIncident');
  const before = closing === -1 ? requests : requests.slice(0, closing);
  const raising = before.filter(({ action }) => action.name === 'RaiseAlert');
  const over = raising.length === 0 ? new Set() : await findOver(ctx, trx, raising.map(({ call }) => call)); // prettier-ignore
  const places = ({ automation, device, log }: Call) => ({ automationId: automation.id, deviceId: device.id, branch: log.branch });
  await raiseAlerts(
    ctx,
    trx,
    raising.map((request) => ({
      ...{ place: places(request.call), name: request.call.automation.name, ...textsOf(request), isOver: over.has(request.call.log.id) },
    })),
  );
  await openIncidents(
    ctx,
    trx,
    before
      .filter(({ action }) => action.name === 'OpenIncident')
      .map((request) => ({
        automationId: request.call.automation.id,
        deviceId: request.call.device.id,
        name: titleOf(request),
        ...textsOf(request),
      })),
  );
  const close = requests[closing];
  if (!close) return;
  await closeIncident(ctx, trx, { actor: close.call.actor, deviceId: close.call.device.id, title: titleOf(close) });
  await writeAlerts(ctx, trx, requests.slice(closing + 1));
}

const titleOf = ({ call, action }: RequestedAction): string => action.options?.title ?? call.automation.name;
