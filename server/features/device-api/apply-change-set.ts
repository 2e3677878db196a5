import { formValues, HIDDEN, sectionsOf } from '../../../schemas/kit/devices/configuration.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { answerJobRequest } from '../../domain/jobs/answer-job-request.ts';
import type { Context } from '../../context.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import type { Answer } from '../../kernel/answer.ts';
import { wireTime } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { ConfigureCall, DevicePlan, Difference } from './changes.ts';
import { CHANGE_SET_PURPOSE, callsOf, editsOf, isReviewAsked, moveChangeSet, requireChangeSet } from './change-sets.ts';
import { configureJob, planFor } from './configure.ts';
import { documentFor } from './documents.ts';
import { ChangeSetState, ReviewNeeded } from './errors.ts';
import type { KnownDevice } from './known-devices.ts';

interface DeviceChanges {
  id: number;
  name: string;
  changes: Difference[];
}

type Plans = readonly { device: KnownDevice; plan: DevicePlan }[];
type JobCall = Parameters<typeof answerJobRequest>[0];

const changesOf = (plans: Plans): DeviceChanges[] =>
  plans.map(({ device: { id, name }, plan }) => ({ id, name, changes: plan.differences }));

/** A change set with its edits, and what it changes on each device that the actor sees: as it was applied, or as it would be now. */
export async function readChangeSet(ctx: Context, actor: Actor, id: number) {
  const row = await requireChangeSet(ctx.reads, actor, id);
  const edits = editsOf(ctx, row);
  const calls = callsOf(edits);
  const ids = [...new Set(calls.flatMap(({ device_id }) => device_id))];
  const seen = await ctx.reads
    .selectFrom('devices')
    .select('devices.id')
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  const visible = new Set(seen.map((device) => device.id));
  let devices: DeviceChanges[] = [];
  let fault: string | null = null;
  if (row.applied_changes !== null)
    devices = (JSON.parse(row.applied_changes) as DeviceChanges[]).filter((device) => visible.has(device.id));
  else {
    const own = calls.flatMap((call) => {
      const device_id = call.device_id.filter((one) => visible.has(one));
      return device_id.length === 0 ? [] : [{ ...call, device_id }];
    });
    try {
      devices = own.length === 0 ? [] : changesOf(await planFor(ctx, actor, own));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      fault = error.items.map(({ message }) => message).join(' ');
    }
  }
  return {
    edits: edits.map((edit, index) => ({
      number: index + 1,
      user_name: edit.user_name,
      created_at: wireTime(edit.at),
      devices_count: new Set(edit.calls.flatMap(({ device_id }) => device_id)).size,
      paths: [...new Set(edit.calls.map(({ path }) => path))],
    })),
    devices,
    hidden_devices: ids.length - visible.size,
    fault,
    asks_review: await isReviewAsked(ctx, ids),
  };
}

/** The calls that put back what a plan changes: sections that it added go again. Secrets are never read, so they cannot be put back. */
async function undoCalls(ctx: Context, plans: Plans): Promise<ConfigureCall[]> {
  const calls: ConfigureCall[] = [];
  for (const { device, plan } of plans) {
    if (!device.system || !device.settings) continue;
    const { sections } = await documentFor(ctx.reads, device.system);
    for (const path of plan.added) calls.push({ device_id: [device.id], path, method: 'delete' });
    for (const [place, differences] of Map.groupBy(plan.differences, ({ section, item }) => `/${section}/config/${item}`)) {
      const [{ section: sectionId, item, before } = { section: '', item: '', before: null }] = differences;
      if (item === '') {
        const order = [before ?? []].flat().filter((name) => !plan.added.includes(`/${sectionId}/config/${name}`));
        if (order.length > 0) calls.push({ device_id: [device.id], path: `/${sectionId}/config`, method: 'put', order });
        continue;
      }
      const section = sections.find((one) => one.id === sectionId);
      const present = section && sectionsOf(device.settings, section).find((one) => one.id === item);
      if (!section || !present) continue;
      const values = formValues(section, present, device.settings);
      const data = Object.fromEntries(
        differences.filter(({ after }) => after !== HIDDEN).map(({ option }): [string, JsonValue] => [option, values[option] ?? null]),
      );
      if (Object.keys(data).length > 0) calls.push({ device_id: [device.id], path: place, method: 'put', request_data: { data } });
    }
  }
  return calls;
}

/** Starts the job; when it cannot start, the change set is as before. */
async function startOrPutBack(
  ctx: Context,
  caller: Caller,
  { id, verb }: { id: number; verb: string },
  [was, is]: readonly ['draft' | 'approved' | 'applied', 'applied' | 'undone'],
  start: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await start();
  } catch (error) {
    const kept = is === 'applied' ? { applied_at: null, applied_changes: null, sealed_undo: null } : {};
    await moveChangeSet(ctx, caller, { id, verb, from: [is] }, () => ({ state: was, ...kept }));
    throw error;
  }
}

/**
 * Applies a change set as one job: an approved one, or a draft where no company of its devices asks for a review. Throws NOT_FOUND,
 * CHANGE_SET_STATE, REVIEW_NEEDED, and as `planFor` and `configureJob` do.
 */
export async function applyChangeSet(call: JobCall, id: number, confirmSeconds: number | undefined): Promise<Answer> {
  const { ctx, actor, origin } = call;
  const row = await requireChangeSet(ctx.reads, actor, id);
  if (row.state !== 'approved' && row.state !== 'draft') throw new ChangeSetState({});
  const plans = await planFor(ctx, actor, callsOf(editsOf(ctx, row)));
  const was = row.state;
  if (was === 'draft' && (await isReviewAsked(ctx, plans.map(({ device }) => device.id)))) throw new ReviewNeeded({}); // prettier-ignore
  const { job, ids } = await configureJob(ctx, plans, confirmSeconds);
  const undo = sealText(ctx.secretKey, CHANGE_SET_PURPOSE, JSON.stringify(await undoCalls(ctx, plans)));
  await moveChangeSet(ctx, { actor, origin }, { id, verb: 'apply', from: [was] }, (now) => {
    // What was approved is what is applied.
    if (now.sealed_edits !== row.sealed_edits) throw new ChangeSetState({});
    return { state: 'applied', applied_at: ctx.clock.now(), applied_changes: JSON.stringify(changesOf(plans)), sealed_undo: undo };
  });
  return startOrPutBack(ctx, { actor, origin }, { id, verb: 'return' }, [was, 'applied'], () =>
    answerJobRequest({ ...call, body: { ...call.body, device_id: ids } }, job),
  );
}

/** Puts back as one job what a change set changed; secrets stay as they are. Throws NOT_FOUND, CHANGE_SET_STATE, and as `planFor` and `configureJob` do. */
export async function undoChangeSet(call: JobCall, id: number, confirmSeconds: number | undefined): Promise<Answer> {
  const { ctx, actor, origin } = call;
  const row = await requireChangeSet(ctx.reads, actor, id);
  if (row.state !== 'applied' || row.sealed_undo === null) throw new ChangeSetState({});
  const calls = JSON.parse(openSealed(ctx.secretKey, CHANGE_SET_PURPOSE, row.sealed_undo)) as ConfigureCall[];
  const { job, ids } = await configureJob(ctx, await planFor(ctx, actor, calls), confirmSeconds);
  await moveChangeSet(ctx, { actor, origin }, { id, verb: 'undo', from: ['applied'] }, () => ({ state: 'undone' }));
  return startOrPutBack(ctx, { actor, origin }, { id, verb: 'return' }, ['applied', 'undone'], () =>
    answerJobRequest({ ...call, body: { ...call.body, device_id: ids } }, job),
  );
}
