import { api } from '../../kernel/http/index.ts';
import type { ErrorItem, FormFile, JsonValue, SelectionInput } from '../../../schemas/kit/types.ts';
import type { Answer } from '../../kernel/http/index.ts';

/*
 * Sending a form (docs/behaviour.md section 4, Form submit).
 *
 *            send                ok
 *   idle ──────────▶ waiting ──────────▶ success
 *    ▲                │   │
 *    └── cancelled ───┘   └── refused ──▶ error ── send ──▶ waiting
 *
 * `send` while waiting is ignored. An edit changes nothing here: errors stand until the next sending, except a field's own.
 * A 401 is renewed and tried again once below, in kernel/http; a password or a second factor asked for by the policy table of
 * kernel/http resolves there too, and giving up on it arrives here as `cancelled`, back at the untouched form.
 */
export type SubmitPhase =
  | { state: 'idle' }
  | { state: 'waiting' }
  | { state: 'success' }
  /** `rest`: what belongs to no field. */
  | { state: 'error'; rest: readonly string[] };

export type SubmitEvent = { type: 'send' } | { type: 'ok' } | { type: 'refused'; rest: readonly string[] } | { type: 'cancelled' };

/** Answers the next phase; an event that does not apply answers the same object. */
export function reduceSubmit(phase: SubmitPhase, event: SubmitEvent): SubmitPhase {
  if (event.type === 'send') return phase.state === 'waiting' ? phase : { state: 'waiting' };
  if (phase.state !== 'waiting') return phase;
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
  body: Record<string, JsonValue> | undefined;
}

/** The call that a form makes with this data. Throws when the path asks for a record or the payload for devices and none is given. */
export function requestOf(form: Pick<FormFile, 'id' | 'submit'>, data: Record<string, JsonValue>, target: FormTarget): FormRequest {
  const { method, path, payload = 'data' } = form.submit;
  if (path.includes('{id}') && target.id === undefined) throw new Error(`The form "${form.id}" needs a record: ${path}`);
  const body = payload === 'devices' ? { ...data, ...devicesPayload(form, target) } : data;
  return {
    method,
    path: path.replaceAll('{id}', encodeURIComponent(String(target.id))),
    // A DELETE of one record says everything by its path.
    body: method === 'DELETE' && Object.keys(body).length === 0 ? undefined : body,
  };
}

function devicesPayload(form: Pick<FormFile, 'id'>, { devices }: FormTarget): Record<string, JsonValue> {
  if (devices?.selection) return { selection: { query: devices.selection.query, count: devices.selection.count } };
  if (devices?.device_id && devices.device_id.length > 0) return { device_id: devices.device_id };
  throw new Error(`The form "${form.id}" needs devices.`);
}

/** Sends a form's request; throws `ApiError`. */
export function sendForm({ method, path, body }: FormRequest, headers?: Record<string, string>): Promise<Answer<JsonValue>> {
  if (method === 'POST') return api.post(path, body, { headers });
  return method === 'PUT' ? api.put(path, body, { headers }) : api.delete(path, body, { headers });
}

/** Where the items that belong to no field go: beside the form, or into a toast when there is one and the form asks for it. */
export function placeOfRest(form: FormFile, rest: readonly ErrorItem[]): 'list' | 'toast' | 'dialog' {
  const wanted = form.submit.errors?.rest ?? 'list';
  return wanted === 'toast' && rest.length !== 1 ? 'list' : wanted;
}
