import { afterEach, expect, test, vi } from 'vitest';
import { createBackOff, keepAsking } from './back-off.ts';

afterEach(() => vi.useRealTimers());

test('pauses between tries grow from 100 ms by doubling to 10 s, and begin again after a success', () => {
  const backOff = createBackOff();
  expect(Array.from({ length: 9 }, () => backOff.next())).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  backOff.reset();
  expect(backOff.next()).toBe(100);
});

test('it asks with growing pauses while that fails, with the shortest one while it works, and not once it is stopped', async () => {
  vi.useFakeTimers();
  const asked: number[] = [];
  const start = Date.now();
  const stop = keepAsking(
    () => {
      asked.push(Date.now() - start);
      return asked.length === 3 ? Promise.resolve(true) : Promise.reject(new Error('away'));
    },
    { minMs: 10 },
  );
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toEqual([10, 30, 70, 80, 100]);
  stop();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(asked).toHaveLength(5);
});

test('what fails after it was stopped is not asked again', async () => {
  vi.useFakeTimers();
  let fail = () => {};
  const ask = vi.fn(() => new Promise<boolean>((_, reject) => (fail = () => reject(new Error('away')))));
  const stop = keepAsking(ask);
  await vi.advanceTimersByTimeAsync(100);
  stop();
  fail();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(ask).toHaveBeenCalledTimes(1);
});
