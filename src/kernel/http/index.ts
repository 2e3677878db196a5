import { createEmitter } from '../emitter.ts';
import { ApiError } from './api-error.ts';
import { AUTH_TIMEOUT_MS, createHttpClient } from './client.ts';
import type { FailureScreen } from './error-policy.ts';
import { createRenewal, type RefreshResult } from './renewal.ts';

export { ApiError, isCancelled } from './api-error.ts';
export { AUTH_TIMEOUT_MS, type Answer, type CallOptions, type FileAnswer } from './client.ts';
export { findBehaviour, type Behaviour, type FailureScreen } from './error-policy.ts';
export { failureMessage, itemMessage, type FailureContext } from './message.ts';
export { serializeQuery, type Query, type QueryValue } from './query.ts';

/** Refreshes the session's token; its events tell the socket and the session what happens. */
export const renewal = createRenewal(refreshToken);

/** Answers that take the place of the whole console, wherever they turn up. */
export const failureScreens = createEmitter<{ show: { screen: FailureScreen; error: ApiError } }>();

/** The console's one door to the server; paths are below `/api`. */
export const api = createHttpClient({
  baseUrl: '/api',
  renew: (sentAt) => renewal.renew(sentAt),
  onScreen: (screen, error) => failureScreens.emit('show', { screen, error }),
});

async function refreshToken(): Promise<RefreshResult> {
  try {
    await api.post('/account/token/refresh', undefined, { timeoutMs: AUTH_TIMEOUT_MS });
    return 'renewed';
  } catch (error) {
    return error instanceof ApiError && error.kind === 'answer' && (error.status ?? 500) < 500 ? 'refused' : 'unreachable';
  }
}
