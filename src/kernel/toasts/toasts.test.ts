import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createToasts } from './index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const messages = (toasts: ReturnType<typeof createToasts>) => toasts.shown.get().map((toast) => toast.message);

test('a toast goes after its time, and its closing takes 150 ms [N1]', () => {
  const toasts = createToasts();
  toasts.success('Kept');
  vi.advanceTimersByTime(3999);
  expect(toasts.shown.get()[0]?.isClosing).toBe(false);
  vi.advanceTimersByTime(1);
  expect(toasts.shown.get()[0]?.isClosing).toBe(true);
  vi.advanceTimersByTime(150);
  expect(messages(toasts)).toEqual([]);
});

test('at most seven are shown; the next waits for a place, and looks for one every 250 ms [N1]', () => {
  const toasts = createToasts();
  const ids = Array.from({ length: 9 }, (_, index) => toasts.error(`error ${index}`));
  expect(messages(toasts)).toHaveLength(7);
  vi.advanceTimersByTime(250 - 151);
  toasts.close(ids[0] ?? 0);
  vi.advanceTimersByTime(150);
  expect(messages(toasts)).toHaveLength(6);
  vi.advanceTimersByTime(1);
  expect(messages(toasts)).toEqual(['error 1', 'error 2', 'error 3', 'error 4', 'error 5', 'error 6', 'error 7']);
});

test('an error stays until it is dismissed, and so does what is to stay [N1]', () => {
  const toasts = createToasts();
  toasts.error('Failed');
  toasts.info('Kept', { durationMs: Number.POSITIVE_INFINITY });
  vi.advanceTimersByTime(600_000);
  expect(messages(toasts)).toEqual(['Failed', 'Kept']);
});

test('hovering stops the time, leaving lets it go on from there [N1]', () => {
  const toasts = createToasts();
  toasts.info('Read me');
  vi.advanceTimersByTime(3000);
  toasts.pause();
  vi.advanceTimersByTime(60_000);
  toasts.resume();
  vi.advanceTimersByTime(999);
  expect(toasts.shown.get()[0]?.isClosing).toBe(false);
  vi.advanceTimersByTime(1);
  expect(toasts.shown.get()[0]?.isClosing).toBe(true);
});

test('every toast stays in the history, newest first; clear closes all [N1]', () => {
  const toasts = createToasts();
  toasts.info('one');
  toasts.error('two');
  toasts.clear();
  vi.advanceTimersByTime(150);
  expect(messages(toasts)).toEqual([]);
  expect(toasts.history.get().map((toast) => toast.message)).toEqual(['two', 'one']);
});

test('a queued toast waits until it is alone [N1]', () => {
  const toasts = createToasts();
  toasts.info('first');
  toasts.info('second', { isQueued: true });
  expect(messages(toasts)).toEqual(['first']);
  vi.advanceTimersByTime(4249);
  expect(messages(toasts)).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(messages(toasts)).toEqual(['second']);
});

test('while the lower edge is kept free, toasts are at the top, unless they have a position of their own [N1]', () => {
  const toasts = createToasts();
  const free = toasts.keepLowerEdgeFree();
  const freeToo = toasts.keepLowerEdgeFree();
  toasts.info('over the buttons');
  toasts.info('as set', { position: 'bottom-left' });
  free();
  toasts.info('still');
  freeToo();
  toasts.info('as ever');
  expect(toasts.shown.get().map(({ position }) => position)).toEqual(['top', 'bottom-left', 'top', 'bottom-right']);
});

test('a toast without words, or at a place that there is not, is a mistake [N1]', () => {
  expect(() => createToasts().info('  ')).toThrow('needs a message');
  // @ts-expect-error: not a text
  expect(() => createToasts().info(undefined)).toThrow('needs a message');
  // @ts-expect-error: no such position
  expect(() => createToasts().info('x', { position: 'middle' })).toThrow('A toast cannot be at "middle"');
});
