import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { ROLL_OUT_KINDS } from '../../domain/jobs/roll-outs.ts';
import { NotWaiting } from '../../domain/jobs/errors.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { DeviceForm } from '../../kernel/device-forms.ts';
import { AppError } from '../../kernel/errors.ts';
import { isAllowed } from '../../kernel/route-access.ts';
import { isPermission, UNATTENDED } from '../../kernel/form-route.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { announceAlerts, raiseAlerts, type NewAlert } from './raise-alerts.ts';
import type { Action, Result } from './types.ts';

/** Alerts and task lists have actions of their own; a test of an endpoint does nothing. */
const OTHERWISE_DONE: ReadonlySet<string> = new Set(['devices/new-alert', 'devices/test-endpoint', 'task-groups/execute']);
const MOST_ROLL_OUTS = 20;

/** The form of an id that an automation of this person may send over devices. */
export function findRuleForm(ctx: Context, actor: Actor, id: string): DeviceForm | undefined {
  const found = OTHERWISE_DONE.has(id) ? undefined : ctx.deviceForms.find(id);
  return found && maySend(actor, found) ? found : undefined;
}

function maySend(actor: Actor, { form: { permission } }: DeviceForm): boolean {
  return isPermission(permission) && isAllowed(actor, { permission });
}

/** The forms that an automation of this person may send over devices. */
export function listRuleForms(ctx: Context, actor: Actor) {
  return ctx.deviceForms
    .all()
    .filter((one) => !OTHERWISE_DONE.has(one.form.id) && maySend(actor, one))
    .map(({ form: { id, title } }) => ({ id, title }));
}

/** Sends a form over one device. */
export async function sendForm(ctx: Context, actor: Actor, call: { action: Action; deviceId: number; key: string }): Promise<Result> {
  const { form: id = '', form_data: data = {} } = call.action.options ?? {};
  const form = findRuleForm(ctx, actor, id);
  if (!form) return { status: 'failed', message: 'no-form' };
  const answer = await form.send({ actor, body: { ...data, device_id: [call.deviceId] }, key: call.key });
  const jobId = 'body' in answer ? Number(answer.body.meta?.['job_id']) : Number.NaN;
  return { status: 'ok', message: null, ...(Number.isSafeInteger(jobId) ? { job_id: jobId } : {}) };
}

/** Pauses the roll-outs that this device is part of, until a person resumes them. Those of people whose jobs the actor may not hold go on. */
export async function pauseRollOuts(ctx: Context, actor: Actor, deviceId: number): Promise<Result> {
  const jobs = await ctx.reads
    .selectFrom('jobs')
    .select('jobs.id')
    .where('jobs.kind', 'in', [...ROLL_OUT_KINDS])
    .where('jobs.finished_at', 'is', null)
    .where('jobs.paused_at', 'is', null)
    .where('jobs.cancel_requested_at', 'is', null)
    .where(isVisible(actor, 'jobs'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('job_targets')
          .select('job_targets.id')
          .whereRef('job_targets.job_id', '=', 'jobs.id')
          .where('job_targets.device_id', '=', deviceId),
      ),
    )
    .orderBy('jobs.id')
    .limit(MOST_ROLL_OUTS)
    .execute();
  let paused: number | undefined;
  for (const { id } of jobs)
    try {
      await ctx.jobs.hold(actor, UNATTENDED, id, 'pause');
      paused = id;
    } catch (error) {
      // It ended, or a person was faster.
      if (error instanceof NotWaiting) continue;
      if (error instanceof AppError) return { status: 'failed', message: 'no-right' };
      throw error;
    }
  return paused === undefined ? { status: 'ok', message: 'no-roll-out' } : { status: 'ok', message: null, job_id: paused };
}

/** Of incidents, in place of the branch that raised them: they do not end with it. */
export const INCIDENT = 'incident';

type Incident = Omit<NewAlert, 'place' | 'isOver'> & { automationId: number; deviceId: number };

/** Opens incidents, each unless one of its title is open on the device: alerts that do not end with what raised them. */
export async function openIncidents(ctx: Context, trx: Trx, incidents: readonly Incident[]): Promise<void> {
  if (incidents.length === 0) return;
  const open = await trx
    .selectFrom('alerts')
    .select(['device_id', 'name'])
    .where('device_id', 'in', ctx.database.tools.idList(incidents.map(({ deviceId }) => deviceId)))
    .where('branch', 'like', `${INCIDENT} %`)
    .where('ended_at', 'is', null)
    .execute();
  const taken = new Set(open.map(({ device_id, name }) => `${device_id} ${name}`));
  const fresh = incidents.filter(({ deviceId, name }) => {
    const key = `${deviceId} ${name}`;
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  });
  await raiseAlerts(
    ctx,
    trx,
    fresh.map(({ automationId, deviceId, ...texts }) => ({
      ...{ ...texts, place: { automationId, deviceId, branch: `${INCIDENT} ${texts.name}` }, isOver: false },
    })),
  );
}

/** Ends the open incidents of this title on the device, whichever automation opened them, as far as the actor sees them. */
export async function closeIncident(
  ctx: Context,
  trx: Trx,
  { actor, deviceId, title }: { actor: Actor; deviceId: number; title: string },
): Promise<void> {
  const ended = await trx
    .updateTable('alerts')
    .set({ ended_at: ctx.clock.now() })
    .where('device_id', '=', deviceId)
    .where('branch', 'like', `${INCIDENT} %`)
    .where('name', '=', title)
    .where('ended_at', 'is', null)
    .where(isVisible(actor, 'alerts'))
    .returningAll()
    .execute();
  await announceAlerts(ctx, trx, 'AlertEnded', ended);
}
