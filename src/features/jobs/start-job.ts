import { membersIn } from '../../engine/form/prepare.ts';
import { requestOf, sendForm } from '../../engine/form/submit.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { FormFile, JsonValue, SelectionInput } from '../../../schemas/kit/form/types.ts';
import type { JobRetry } from '../../engine/actions/job-start.ts';
import type { FormRequest } from '../../engine/form/submit.ts';
import type { JobPreview } from './job-api.ts';
import type { Answer } from '../../kernel/http/index.ts';

// Kinds that ask for nothing have no form; the API knows them as actions, by these names.
const ACTIONS: Readonly<Record<string, string>> = {
  reboot: 'reboot',
  refresh: 'update_metrics_data',
  download_backup: 'download_backup',
  download_troubleshoot: 'download_troubleshoot',
  download_eventslog: 'download_eventslog',
  remote_scan: 'remote_scan',
};

/** Kinds that the server does by itself, in one go. */
const SERVER_KINDS: ReadonlySet<string> = new Set(['move', 'remove']);

/** Whether the devices do this kind of job, so that it can go on in waves. */
export function runsOnDevices(kind: string): boolean {
  return !SERVER_KINDS.has(kind);
}

/** A form that may ask for devices itself (`device_id`), without that question: they are chosen already. */
export function withoutDevices(module: FormModule): FormModule {
  const { device_id: asked, ...properties } = module.form.schema.properties ?? {};
  return asked ? { ...module, form: { ...module.form, schema: { ...module.form.schema, properties } } } : module;
}

/** Above this many devices a confirmation is typed (docs/checks.md B2). */
export const MANY_DEVICES = 50;

/** So many devices at a time; the next ones follow when those are done, unless more of them failed than may. */
export interface Waves {
  size: number;
  /** Devices in the first wave. */
  first?: number;
  /** The first wave is the devices with this tag. */
  first_tag_id?: number;
  /** Devices that match later, until the job is over, get their turn too. */
  newcomers?: boolean;
  /** Each further wave waits until somebody lets it begin. */
  approve?: boolean;
  stop_percent?: number;
  /** What more failures than that do: cancel the rest, or pause until somebody resumes it. */
  on_stop?: 'end' | 'hold';
  pause_seconds?: number;
}

/** When a job begins (on the wire, UTC), and how long it waits for devices that are offline; at once and not at all by default. */
export interface Schedule {
  starts_at?: string | undefined;
  wait_seconds?: number | undefined;
}

export type WindowRule = 'wait' | 'refuse' | 'now';

export interface JobOrder {
  kind: string;
  form?: FormFile;
  data: Record<string, JsonValue>;
  selection: SelectionInput;
  /** The job whose devices are put back; in place of a selection. */
  undoes?: number;
  /** The job that is tried again; in place of a selection. */
  retries?: JobRetry;
  waves?: Waves;
  schedule?: Schedule;
  /** What becomes of devices outside their maintenance window; default: as its kind says. */
  window?: WindowRule;
  /** Why it is started. */
  reason?: string;
}

/** The call that starts a job. Throws for a kind that is neither an action nor has a form. */
export function jobRequest({ kind, form, data, selection, undoes, retries }: JobOrder): FormRequest {
  if (undoes !== undefined) return { method: 'POST', path: `/jobs/${undoes}/roll-back`, body: {} };
  if (retries) {
    const { jobId, targetIds } = retries;
    return { method: 'POST', path: `/jobs/${jobId}/retry`, body: targetIds ? { target_id: [...targetIds] } : {} };
  }
  if (form) return requestOf(form, data, { devices: selection });
  const action = ACTIONS[kind];
  if (!action) throw new Error(`The job kind "${kind}" has no form and is no action.`);
  // Nobody filled in a form: the history shall not name one.
  const { form: _none, ...request } = requestOf(ACTION_FORM, { action }, { devices: selection });
  return request;
}

const ACTION_FORM: Pick<FormFile, 'id' | 'submit'> = {
  id: 'devices/actions',
  submit: { method: 'POST', path: '/devices/actions', payload: 'devices', success: {} },
};

/** Asks what a job would do; nothing is sent to any device. */
export async function previewJob(order: JobOrder): Promise<JobPreview> {
  const request = jobRequest(order);
  const answer = await sendForm({ ...request, body: { ...membersIn(request.body), ...sentSchedule(order), dry_run: true } });
  return readPreview(answer);
}

/** Starts a job. The same `key` within a day gives the same job, so a repeated click or a lost answer makes no second one. */
export function startJob(order: JobOrder, key: string): Promise<Answer<JsonValue>> {
  const request = jobRequest(order);
  const waves: Record<string, JsonValue> = order.waves ? { waves: { ...order.waves } } : {};
  return sendForm(
    { ...request, body: { ...membersIn(request.body), ...waves, ...sentSchedule(order) } },
    { headers: { 'Idempotency-Key': key } },
  );
}

function sentSchedule({ schedule = {}, window, reason }: JobOrder): Record<string, JsonValue> {
  const { starts_at, wait_seconds } = schedule;
  return {
    ...(starts_at === undefined ? {} : { starts_at }),
    ...(wait_seconds === undefined ? {} : { wait_seconds }),
    ...(window === undefined ? {} : { maintenance_window: window }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** A new idempotency key; `crypto.randomUUID` is missing on plain http. */
export function makeKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function readPreview(answer: Answer<unknown>): JobPreview {
  // The contract test holds the server to this shape.
  return answer.data as JobPreview;
}

/**
 * What has to be typed before a job starts: nothing for what is harmless or for few; the device's name, or the number of devices, for what
 * destroys or is for many.
 */
export function typedConfirmation(
  risk: 'low' | 'disruptive' | 'destructive',
  willRun: number,
  name: string | undefined,
): string | undefined {
  if (risk === 'low') return undefined;
  if (risk === 'disruptive' && willRun <= MANY_DEVICES) return undefined;
  return willRun === 1 && name !== undefined ? name : String(willRun);
}

/** Whether a retry starts without asking: for one device that is there, as it was confirmed once already. */
export function retriesAtOnce(preview: JobPreview): boolean {
  return preview.will_run === 1 && isPlain(preview) && preview.asks_reason !== true;
}

const isPlain = ({ skipped, warnings, windows }: JobPreview): boolean =>
  skipped.length === 0 && warnings.length === 0 && (windows ?? null) === null;

/**
 * Whether a job may start without asking: harmless, nothing about it has to be shown first, and for one device or after a form of its own. For
 * several devices the preview is also where a time is chosen.
 */
export function startsAtOnce(risk: 'low' | 'disruptive' | 'destructive', preview: JobPreview, hasForm: boolean): boolean {
  return risk === 'low' && isPlain(preview) && preview.asks_reason !== true && (hasForm ? preview.will_run > 0 : preview.will_run === 1);
}

/** How long a job waits for devices that are all offline now, unless the user chooses otherwise. */
export const WAIT_FOR_OFFLINE_SECONDS = 7 * 24 * 3600;

/** Whether all chosen devices are offline: then a job can only wait for them. */
export function waitsForAll(kind: string, { will_run: willRun, skipped }: Pick<JobPreview, 'will_run' | 'skipped'>): boolean {
  return runsOnDevices(kind) && willRun === 0 && skipped.length > 0 && skipped.every(({ reason }) => reason === 'OFFLINE');
}
