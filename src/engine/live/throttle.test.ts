import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collect, paintPause } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a storm of events is delivered at most four times a second, without losing any [T8]', () => {
  const deliveries: number[][] = [];
  const collector = collect<number>((items) => deliveries.push(items), 250);
  for (let tick = 0; tick < 1000; tick++) {
    collector.add(tick);
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(250);
  expect(deliveries.length).toBeLessThanOrEqual(5);
  expect(deliveries.flat()).toEqual(Array.from({ length: 1000 }, (_, index) => index));
});

test('a lone event arrives at once and one after a pause does too', () => {
  const deliveries: string[][] = [];
  const collector = collect<string>((items) => deliveries.push(items), 250);
  collector.add('a');
  vi.advanceTimersByTime(0);
  expect(deliveries).toEqual([['a']]);
  vi.advanceTimersByTime(1000);
  collector.add('b');
  vi.advanceTimersByTime(0);
  expect(deliveries).toEqual([['a'], ['b']]);
});

test('nothing is delivered after stopping', () => {
  const deliveries: string[][] = [];
  const collector = collect<string>((items) => deliveries.push(items), 250);
  collector.add('a');
  collector.stop();
  vi.advanceTimersByTime(1000);
  expect(deliveries).toEqual([]);
});

test('after many changes at once the next ones wait longer, and none is lost [T8]', () => {
  const deliveries: number[][] = [];
  const collector = collect<number>((items) => deliveries.push(items), paintPause);
  for (let tick = 0; tick < 50; tick++) collector.add(tick);
  vi.advanceTimersByTime(0);
  collector.add(50);
  vi.advanceTimersByTime(499);
  expect(deliveries).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(deliveries.flat()).toHaveLength(51);
});
