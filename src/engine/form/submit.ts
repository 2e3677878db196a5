import { api, type Answer, type CallOptions } from '../../kernel/http/index.ts';
import { saveFile } from '../actions/save-file.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import { heldFile } from './files.ts';
import { membersIn } from './prepare.ts';
import type { ErrorItem, FormFile, JsonValue, SelectionInput, AnswerMeta } from '../../../schemas/kit/form/types.ts';

/*
 * Sending a form (docs/behaviour.md section 4, Form submit).
 *
 *            send                ok
 *   idle ──────────▶ waiting ──────────▶ success
 *    ▲                │   │
 *    └── cancelled ───┘   └── refused ──▶ error ── send ──▶ waiting
 *
 * `send` while waiting is ignored. An edit changes nothing here: errors stay until the next attempt, except a field's own.
 * A 401 is renewed and tried again once below, in kernel/http; a password or a second factor asked for by the policy table of
 * kernel/http resolves there too, and giving up on it arrives here as `cancelled`, back at the untouched form.
 */
export type SubmitPhase =
  | { state: 'idle' }
  /** `upload`: bytes of a form with files. */
  | { state: 'waiting'; upload?: { sent: number; total: number } }
  | { state: 'success' }
  /** `rest`: what belongs to no field. */
  | { state: 'error'; rest: readonly string[] };

export type SubmitEvent =
  | { type: 'send' }
  | { type: 'uploaded'; sent: number; total: number }
  | { type: 'ok' }
  | { type: 'refused'; rest: readonly string[] }
  | { type: 'cancelled' };

/** Answers the next phase; an event that does not apply answers the same object. */
export function reduceSubmit(phase: SubmitPhase, event: SubmitEvent): SubmitPhase {
  if (event.type === 'send') return phase.state === 'waiting' ? phase : { state: 'waiting' };
  if (phase.state !== 'waiting') return phase;
  if (event.type === 'uploaded') return { state: 'waiting', upload: { sent: event.sent, total: event.total } };
  if (event.type === 'ok') return { state: 'success' };
  return event.type === 'refused' ? { state: 'error', rest: event.rest } : { state: 'idle' };
}

/** What a form is sent for: the record in `{id}` of its path, or the chosen devices. */
export interface FormTarget {
  id?: number | string;
  devices?: SelectionInput;
}

export interface FormRequest {
  method: FormFile['submit']['method'];
  path: string;
  body: JsonValue | undefined;
  /** With files: sent as parts. */
  isMultipart?: boolean;
  /** The answer is a file, which is saved. */
  isDownload?: boolean;
  /** What the history keeps of where it was entered: `<id>@<version>`; nothing when nobody filled in a form. */
  form?: string;
}

type Sendable = Pick<FormFile, 'id' | 'submit'> & Partial<Pick<FormFile, 'schema' | 'version'>>;

/** The call that a form makes with this data. Throws when the path asks for a record or the payload for devices and none is given. */
export function requestOf(form: Sendable, data: JsonValue, target: FormTarget): FormRequest {
  const { method, path, payload = 'data', encoding, success } = form.submit;
  if (path.includes('{id}') && target.id === undefined) throw new Error(`The form "${form.id}" needs a record: ${path}`);
  // A form with a field for devices asks for them itself when none were chosen before; the server says so when none are.
  const asksForDevices = target.devices === undefined && form.schema?.properties?.['device_id'] !== undefined;
  const body = payload === 'devices' && !asksForDevices ? { ...membersIn(data), ...devicesPayload(form, target) } : data;
  return {
    method,
    path: path.replaceAll('{id}', encodeURIComponent(String(target.id))),
    // A DELETE of one record says everything by its path.
    body: method === 'DELETE' && isMembers(body) && Object.keys(body).length === 0 ? undefined : body,
    ...(encoding === 'multipart' ? { isMultipart: true } : {}),
    ...(success.then === 'download' ? { isDownload: true } : {}),
    form: `${form.id}@${form.version ?? 1}`,
  };
}

function devicesPayload(form: Pick<FormFile, 'id'>, { devices }: FormTarget): Record<string, JsonValue> {
  if (devices?.selection) return { selection: { query: devices.selection.query, count: devices.selection.count } };
  if (devices?.device_id && devices.device_id.length > 0) return { device_id: devices.device_id };
  throw new Error(`The form "${form.id}" needs devices.`);
}

/** Sends a form's request; throws `ApiError`. */
export async function sendForm(request: FormRequest, { headers, ...rest }: CallOptions = {}): Promise<Answer<JsonValue>> {
  const { method, path } = request;
  const options = { ...rest, headers: { ...headers, ...(request.form === undefined ? {} : { 'X-Canopy-Form': request.form }) } };
  const body = request.isMultipart && request.body !== undefined ? partsOf(membersIn(request.body)) : request.body;
  if (request.isDownload) {
    const file = await api.downloadBy(path, body, options);
    saveFile(file.blob, file.fileName);
    return { data: null, meta: {}, errors: [], status: 200, requestId: undefined };
  }
  if (method === 'POST') return api.post(path, body, options);
  return method === 'PUT' ? api.put(path, body, options) : api.delete(path, body, options);
}

/** A body as parts (docs/behaviour.md section 7, Uploads): files by their bytes, lists by index, an empty list as `name[]` without a value. */
export function partsOf(body: Readonly<Record<string, JsonValue>>): FormData {
  const parts = new FormData();
  for (const [name, value] of Object.entries(body)) appendPart(parts, name, value);
  return parts;
}

function appendPart(parts: FormData, name: string, value: JsonValue): void {
  const file = heldFile(value);
  if (file) parts.append(name, file, file.name);
  else if (Array.isArray(value)) {
    if (value.length === 0) parts.append(`${name}[]`, '');
    for (const [index, item] of value.entries()) appendPart(parts, `${name}[${index}]`, item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [member, inner] of Object.entries(value)) appendPart(parts, `${name}[${member}]`, inner);
  } else parts.append(name, value === null ? '' : String(value));
}

/** Where the items that belong to no field go: beside the form, or into a toast when there is one and the form asks for it. */
export function placeOfRest(form: FormFile, rest: readonly ErrorItem[]): 'list' | 'toast' | 'dialog' {
  const wanted = form.submit.errors?.rest ?? 'list';
  return wanted === 'toast' && rest.length !== 1 ? 'list' : wanted;
}

/** What the server answered to a form. */
export interface FormResult<T = JsonValue> {
  data: T;
  meta: AnswerMeta;
  /** What did not work, where a part did. */
  errors?: readonly ErrorItem[];
}
