import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Changes, Db, Row, Trx } from '../../db/schema.ts';
import type { DeviceCommand } from '../../edges/mqtt/types.ts';
import { SECOND } from '../../kernel/clock.ts';
import type { CommandDevice, DeviceStep, JobKind } from './types.ts';

export type DeviceKind = JobKind & { runs: { on: 'device' } };

/** A device may finish what it was given before: each command waits for its turn this long on top of its own time. */
const TURN_SECONDS = 60;

export function isDeviceKind(kind: JobKind | undefined): kind is DeviceKind {
  return kind?.runs.on === 'device';
}

/** A random id of a command, as it goes over the wire. */
export function newCommandId(): string {
  return randomBytes(15).toString('base64url');
}

/** Time for a step from the moment it is sent, in milliseconds. */
export function stepTimeoutMs(step: DeviceStep): number {
  return (step.waitSeconds ?? step.timeoutSeconds + TURN_SECONDS) * SECOND;
}

export type Steps = readonly [DeviceStep, ...DeviceStep[]];

/** A target with what its steps are made of. */
export type StepTarget = Pick<Row<'job_targets'>, 'command_id' | 'deadline_at' | 'step' | 'facts'>;

export function stepsOf(kind: DeviceKind, input: unknown, device: CommandDevice, target: Pick<StepTarget, 'facts'>): Steps {
  return kind.runs.steps(input, device, target.facts === null ? undefined : JSON.parse(target.facts));
}

/** The command of the step that a target is at. */
export function commandFor(kind: DeviceKind, input: unknown, target: StepTarget, device: CommandDevice): DeviceCommand {
  const steps = stepsOf(kind, input, device, target);
  const { verb, timeoutSeconds, body } = steps[target.step] ?? steps[0];
  return { verb, timeoutSeconds, body, id: target.command_id, deadlineAt: target.deadline_at ?? 0 };
}

/** The step to do after the one at `index`: of those for a failure once something failed, else of the others. undefined: it was the last. */
export function stepAfter(steps: Steps, index: number, hasFailed: boolean): number | undefined {
  const next = steps.findIndex((step, at) => at > index && (step.when === 'failed') === hasFailed);
  return next === -1 ? undefined : next;
}

/** Targets with what a command says of them and of their device; add conditions. A target's own number is `target_id`. */
export function selectCommandDevices(db: Db) {
  return db
    .selectFrom('job_targets')
    .innerJoin('devices', 'devices.id', 'job_targets.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['job_targets.id as target_id', 'job_targets.command_id', 'job_targets.deadline_at', 'job_targets.step', 'job_targets.facts'])
    .select(['devices.device_key', 'devices.id', 'devices.name', 'devices.serial', 'devices.mac', 'devices.model', 'devices.firmware'])
    .select(['devices.company_id', 'companies.name as company_name']);
}

/** Hands a command to the broker. When that fails the target stays `sent` and is given again: on the next try or when the device returns. */
export async function sendCommand(ctx: Context, deviceKey: string, command: DeviceCommand): Promise<void> {
  try {
    await ctx.devices.send(deviceKey, command);
  } catch (error) {
    ctx.log.warn({ err: error, device: deviceKey, command: command.id }, 'a command could not be handed to the broker');
  }
}

/** How a step ended, however it did. */
export interface StepResult {
  state: 'ok' | 'failed' | 'timed-out';
  code: number | null;
  message: string | null;
  output: string | null;
  truncated: boolean;
}

type OpenTarget = Pick<
  Row<'job_targets'>,
  'id' | 'step' | 'failed_state' | 'started_at' | 'file_id' | 'message' | 'code' | 'output' | 'truncated'
>;

/** What the end of a step means for its target: the columns that change, and the number of the step to send next; undefined at the end. */
export function afterStep(
  steps: Steps,
  target: OpenTarget,
  given: StepResult,
  at: number,
): { result: StepResult; change: Changes<'job_targets'>; next: number | undefined } {
  const step = steps[target.step];
  const result = judged(step, target, given);
  const isFailure = result.state !== 'ok' && !step?.isOptional;
  const failedState = target.failed_state ?? (isFailure && result.state !== 'ok' ? result.state : null);
  const next = stepAfter(steps, target.step, failedState !== null);
  // What failed first is what the target says in the end.
  const { code, message, output, truncated } = target.failed_state === null ? result : { ...target, truncated: target.truncated === 1 };
  const said = { code, message, output, truncated: truncated ? 1 : 0 } as const;
  const started_at = target.started_at ?? at;
  if (next === undefined)
    return { result, change: { ...said, state: failedState ?? 'ok', failed_state: failedState, started_at, finished_at: at }, next };
  const following = steps[next] ?? steps[0];
  const wait = stepTimeoutMs(following);
  const sent = {
    state: 'sent',
    step: next,
    step_name: following.name,
    command_id: newCommandId(),
    attempts: 1,
    sent_at: at,
    deadline_at: at + wait,
  } as const;
  return { result, change: { ...said, ...sent, failed_state: failedState, started_at }, next };
}

/** An exit code that the step takes as done is a success and stays what it was; a step whose file did not come, or whose answer was cut, has failed. */
function judged(step: DeviceStep | undefined, target: OpenTarget, result: StepResult): StepResult {
  const { state, code, message } = result;
  const hasExited = state === 'failed' && code !== null && (message === null || message === `exit code ${code}`);
  if (hasExited && step?.acceptedCodes?.includes(code)) return { ...result, state: 'ok', message: null };
  if (state === 'ok' && step?.needsWholeOutput && result.truncated)
    return { ...result, state: 'failed', message: 'The answer was cut: the agent of this device has to be replaced.', output: null };
  if (state === 'ok' && step?.receives && target.file_id === null)
    return { ...result, state: 'failed', message: 'The file did not arrive.' };
  return result;
}

/** What is kept of an output, in characters; the kind of a job gets all of it. */
const MAX_KEPT_OUTPUT = 64 * 1024;
export const isLong = (output: unknown): output is string => typeof output === 'string' && output.length > MAX_KEPT_OUTPUT;
export const shortOutput = (output: string): string => output.slice(0, MAX_KEPT_OUTPUT).toWellFormed();

/** Keeps what a step of several gave. */
export async function keepStep(trx: Trx, steps: Steps, target: OpenTarget, result: StepResult, at: number): Promise<void> {
  if (steps.length === 1) return;
  await trx
    .insertInto('job_target_steps')
    .values({
      target_id: target.id,
      step: target.step,
      name: steps[target.step]?.name ?? '',
      ...result,
      output: isLong(result.output) ? shortOutput(result.output) : result.output,
      truncated: result.truncated || isLong(result.output) ? 1 : 0,
      file_id: target.file_id,
      started_at: target.started_at,
      finished_at: at,
    })
    .onConflict((conflict) => conflict.columns(['target_id', 'step']).doNothing())
    .execute();
}
