import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../kernel/http/index.ts';
import { countSessionFailure, forgetSessionFailures, hasFailedTooOften } from '../../kernel/session/failures.ts';
import { watchChunkFailures } from './chunk-failures.ts';
import { decideStart } from './decide-start.ts';
import { removeServiceWorkers, installStyleNonce } from './start.tsx';

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

const answer = (status: number, code?: string) => new ApiError({ kind: 'answer', status, items: code ? [{ code, message: 'x' }] : [] });

test.each([
  [answer(401, 'UNAUTHORIZED'), { kind: 'sign-in' }],
  [answer(403, 'EMAIL_NOT_VERIFIED'), { kind: 'email-not-verified' }],
  [answer(401, 'NOT_INVITED_EXTERNAL_USER'), { kind: 'not-invited-external-user' }],
  [answer(403, 'MFA_MANDATORY'), { kind: 'mfa-mandatory' }],
  [answer(403, 'SOMETHING_ELSE'), { kind: 'maintenance' }],
  [answer(500), { kind: 'maintenance' }],
  [answer(408), { kind: 'maintenance', reason: 'timeout' }],
  [new ApiError({ kind: 'timeout', status: 408 }), { kind: 'maintenance', reason: 'timeout' }],
  [new ApiError({ kind: 'offline' }), { kind: 'maintenance', reason: 'no-answer' }],
  [new TypeError('x'), { kind: 'maintenance' }],
])('a user request that fails with %s leads to its screen', (error, screen) => {
  expect(decideStart(error)).toEqual(screen);
});

test('the third failed user request or revoke attempt of a tab is too many, until one succeeds', () => {
  expect([countSessionFailure(), countSessionFailure()]).toEqual([false, false]);
  expect(hasFailedTooOften()).toBe(false);
  expect(countSessionFailure()).toBe(true);
  expect(hasFailedTooOften()).toBe(true);
  forgetSessionFailures();
  expect(hasFailedTooOften()).toBe(false);
});

function failChunk(): boolean {
  return window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
}

test('a missing chunk loads the page again, and shows the error when it is still missing; one that a network lost hours later loads it again [FT8]', () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
  const page = { reload: vi.fn(), replace: vi.fn() };
  watchChunkFailures(page, 1);
  expect(failChunk()).toBe(false);
  expect(failChunk()).toBe(true);
  expect(page.reload).toHaveBeenCalledTimes(1);
  vi.setSystemTime(1_000_000 + 3_600_000);
  expect(failChunk()).toBe(false);
  expect(page.reload).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test('a chunk that is missing for want of a network leads to the offline page [X5]', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const page = { reload: vi.fn(), replace: vi.fn() };
  watchChunkFailures(page, 2);
  failChunk();
  expect(page.replace).toHaveBeenCalledWith('/offline.html');
});

test('style sheets made by libraries carry the nonce of the page, other elements do not', () => {
  const page = document.implementation.createHTMLDocument();
  page.head.innerHTML = '<meta name="csp-nonce" content="r4nd0m">';
  installStyleNonce(page);
  expect(page.createElement('style').nonce).toBe('r4nd0m');
  expect(page.createElement('script').nonce).not.toBe('r4nd0m');
});

test('a page without a nonce is left alone', () => {
  const page = document.implementation.createHTMLDocument();
  const before = page.createElement;
  installStyleNonce(page);
  expect(page.createElement).toBe(before);
});

test('service workers left by others are removed with their caches [FT8]', async () => {
  const unregister = vi.fn(() => Promise.resolve(true));
  const remove = vi.fn(() => Promise.resolve(true));
  vi.stubGlobal('caches', { keys: () => Promise.resolve(['old']), delete: remove });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistrations: () => Promise.resolve([{ unregister }]) },
  });
  await removeServiceWorkers();
  expect([unregister.mock.calls.length, remove.mock.calls]).toEqual([1, [['old']]]);
  Reflect.deleteProperty(navigator, 'serviceWorker');
  vi.unstubAllGlobals();
});
