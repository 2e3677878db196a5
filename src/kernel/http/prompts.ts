import type { JsonPrimitive } from '../../../schemas/kit/form/types.ts';
import { translate } from '../i18n/index.ts';
import { ApiError } from './api-error.ts';
import { findBehaviour } from './error-policy.ts';

/** How a second factor reaches its owner. */
export type MfaMethod = 'email' | 'totp' | 'provider' | 'passkey';

/** A second factor that the server wants before it does what was asked (docs/behaviour.md section 8, Request-level). */
export interface MfaChallenge {
  method: MfaMethod;
  sessionId: JsonPrimitive | undefined;
  sessionUuid: JsonPrimitive | undefined;
  /** Where the identity provider shows its code. */
  providerUrl: string | undefined;
  /** What a passkey of the user may sign in place of a code. */
  passkey: { challenge: string; ids: string[] } | undefined;
}

/** Tries what was entered: `undefined` when it was taken, else why it was not, and the user may try again. */
export type TryEntry = (entry: string) => Promise<ApiError | undefined>;

/** What a call can ask of the user while it is under way. Each asks until an entry is taken; `false` when the user gives up. */
export interface Prompts {
  mfa(challenge: MfaChallenge, tryCode: TryEntry): Promise<boolean>;
  password(tryPassword: TryEntry): Promise<boolean>;
}

interface PromptedCall {
  method: string;
  body?: unknown;
}
type Outcome<R> = { value: R } | { error: unknown };

export interface AnsweringInit {
  /** Nobody to ask: the refusal goes to the caller. */
  prompts(): Prompts | undefined;
  /** Sends the server the user's password; throws `ApiError` when it is wrong. */
  confirmPassword(password: string): Promise<unknown>;
}

/**
 * Makes the sender that answers what the server asks back: a second factor is asked for and the same call sent again with `session_code`,
 * `session_id` and `session_uuid`; on 423 the password is confirmed and the same call sent again. A password counts for one
 * call: of several that wait, one question serves the last, and the others are asked for after it. A user who gives up ends the call as `cancelled`. A read is never sent with a body, so its MFA_REQUIRED goes to the caller.
 */
export function createAnswering({ prompts, confirmPassword }: AnsweringInit) {
  let confirming: Promise<boolean> | undefined;

  async function tryPassword(password: string): Promise<ApiError | undefined> {
    const outcome = await settle(confirmPassword(password));
    return 'error' in outcome ? asApiError(outcome.error) : undefined;
  }

  return async function sendAnswering<C extends PromptedCall, R>(call: C, send: (call: C) => Promise<R>): Promise<R> {
    let present = call;
    let outcome = await settle(send(present));
    while ('error' in outcome) {
      const asked = prompts();
      const kind = asked && outcome.error instanceof ApiError ? findBehaviour(outcome.error).kind : 'caller';
      if (asked && kind === 'prompt-mfa' && call.method !== 'GET') {
        const challenge = readChallenge(asApiError(outcome.error));
        let last: Outcome<R> | undefined;
        const isAnswered = await asked.mfa(challenge, async (code) => {
          present = { ...call, body: withCode(call.body, challenge, code) };
          last = await settle(send(present));
          return 'error' in last ? reasonToAskAgain(last.error) : undefined;
        });
        if (!isAnswered || !last) throw new ApiError({ kind: 'cancelled', message: 'Not confirmed' });
        outcome = last;
      } else if (asked && kind === 'prompt-password') {
        confirming ??= asked.password(tryPassword).finally(() => (confirming = undefined));
        if (!(await confirming)) throw new ApiError({ kind: 'cancelled', message: 'Not confirmed' });
        outcome = await settle(send(present));
      } else throw outcome.error;
    }
    return outcome.value;
  };
}

async function settle<R>(work: Promise<R>): Promise<Outcome<R>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** A wrong code, and an answer that never came: everything else is the answer to the call itself. */
function reasonToAskAgain(error: unknown): ApiError | undefined {
  const isAgain =
    error instanceof ApiError && (error.code === 'CONFIRMATION_FAILED' || error.kind === 'offline' || error.kind === 'timeout');
  return isAgain ? error : undefined;
}

/** Throws, with the server's own words or "Failed to connect to server", when the method is none that we know. */
function readChallenge({ items, meta, status }: ApiError): MfaChallenge {
  const method = meta['mfa_method'] ?? meta['mfa_type'];
  if (method !== 'email' && method !== 'totp' && method !== 'provider' && method !== 'passkey') {
    const message = items[0]?.message || translate('http.noConnection');
    throw new ApiError({ kind: 'answer', status, items: [{ code: 'UNKNOWN_MFA_METHOD', message }] });
  }
  const url = meta['provider_url'];
  const [challenge, ids] = [meta['passkey_challenge'], meta['passkey_ids']];
  return {
    method,
    sessionId: primitive(meta['session_id']),
    sessionUuid: primitive(meta['session_uuid']),
    providerUrl: typeof url === 'string' ? url : undefined,
    passkey: typeof challenge === 'string' && typeof ids === 'string' ? { challenge, ids: ids.split(',') } : undefined,
  };
}

function primitive(value: unknown): JsonPrimitive | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function withCode(body: unknown, { sessionId, sessionUuid }: MfaChallenge, code: string): unknown {
  const proof = { session_code: code, session_id: sessionId, session_uuid: sessionUuid };
  if (!(body instanceof FormData)) return { ...(typeof body === 'object' ? body : {}), ...proof };
  const parts = new FormData();
  for (const [name, value] of body) parts.append(name, value);
  for (const [name, value] of Object.entries(proof)) if (value !== undefined) parts.set(name, String(value));
  return parts;
}
