import type { SelectionInput } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { ok, type Answer } from '../../kernel/answer.ts';
import { idempotencyKeyOf } from '../../kernel/idempotency.ts';
import type { Schedule, WindowRule, Waves } from './types.ts';

/** What `payload: "devices"` adds to a body. */
export type DevicesBody = SelectionInput & {
  dry_run?: boolean;
  waves?: Waves;
  maintenance_window?: WindowRule;
  reason?: string;
} & Schedule;

interface JobCall {
  ctx: Context;
  actor: Actor;
  origin: Origin;
  request: { headers: Record<string, string | string[] | undefined> };
  body: DevicesBody;
}

/** Answers a call that starts a job over devices: with `dry_run` what it would do, else the channel to follow it on. */
export async function answerJobRequest(call: JobCall, job: { kind: string; input: object; parentJobId?: number }): Promise<Answer> {
  const { ctx, actor, origin, body } = call;
  const target: SelectionInput = body.device_id ? { device_id: body.device_id } : { selection: body.selection };
  const { waves, starts_at, wait_seconds, maintenance_window: window } = body;
  // Only what people and programs start is asked why; plans and rules say it themselves.
  const reason = body.reason?.trim() ?? '';
  const request = { ...job, target, window, reason, ...(waves ? { waves } : {}), schedule: { starts_at, wait_seconds } };
  if (body.dry_run) return ok(await ctx.jobs.preview(actor, request));
  const idempotencyKey = idempotencyKeyOf(call.request);
  const started = await ctx.jobs.create(actor, origin, { ...request, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
  return ok(undefined, {
    channel: started.channel,
    job_id: started.jobId,
    count: started.count,
    ...(started.seen === null ? {} : { seen: started.seen }),
  });
}
