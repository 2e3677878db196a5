import { createEmitter } from '../emitter.ts';
import { forgetKept, resourceOfPath } from '../queries.ts';
import { ApiError } from './api-error.ts';
import { AUTH_TIMEOUT_MS, createHttpClient } from './client.ts';
import type { FailureScreen } from './error-policy.ts';
import type { Prompts } from './prompts.ts';
import { createRenewal, type RefreshResult } from './renewal.ts';

export { ApiError, isCancelled } from './api-error.ts';
export { AUTH_TIMEOUT_MS, type Answer, type CallOptions, type FileAnswer } from './client.ts';
export { findBehaviour, type Behaviour, type FailureScreen } from './error-policy.ts';
export { failureMessage, itemMessage, successMessage, type DoneWord, type FailureContext } from './message.ts';
export type { MfaChallenge, MfaMethod, Prompts, TryEntry } from './prompts.ts';
export { serializeQuery, type Query, type QueryValue } from './query.ts';

/** Refreshes the session's token; its events inform the socket and the session. */
export const renewal = createRenewal(refreshToken);

/** Answers that take the place of the whole console, wherever they turn up. */
export const failureScreens = createEmitter<{ show: { screen: FailureScreen; error: ApiError } }>();

let prompts: Prompts | undefined;

/** Says who asks the user for a code or a password when any call needs one. */
export function setPrompts(next: Prompts | undefined): void {
  prompts = next;
}

/** The console's one door to the server; paths are below `/api`. */
export const api = createHttpClient({
  baseUrl: '/api',
  renew: (sentAt) => renewal.renew(sentAt),
  onScreen: (screen, error) => failureScreens.emit('show', { screen, error }),
  prompts: () => prompts,
  onWrite: (path) => forgetKept(resourceOfPath(path)),
});

async function refreshToken(): Promise<RefreshResult> {
  try {
    await api.post('/account/token/refresh', undefined, { timeoutMs: AUTH_TIMEOUT_MS });
    return 'renewed';
  } catch (error) {
    return error instanceof ApiError && error.kind === 'answer' && (error.status ?? 500) < 500 ? 'refused' : 'unreachable';
  }
}
