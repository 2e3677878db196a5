import { expect, test } from 'vitest';
import { healthLevel, scoreOf, scoreParts, type HealthReadings } from './health.ts';

const NOTHING: HealthReadings = { connection: null, signal: null, firmware: null, temperature: null, memory: null, jobs: null, data: null };
const healthOf = (readings: Partial<HealthReadings>) => scoreOf(scoreParts({ ...NOTHING, ...readings }));

test('health is the average of what is known by weight, and nothing where nothing is known', () => {
  expect(healthOf({})).toBeNull();
  expect(healthOf({ connection: 100 })).toBe(100);
  expect(healthOf({ connection: 90 })).toBe(50);
  // (100 × 30 + 0 × 20) / 50
  expect(healthOf({ connection: 100, signal: -110 })).toBe(60);
  expect(healthOf({ firmware: 'older', jobs: 50 })).toBe(24);
});

test('each part is 0 to 100 between its bounds', () => {
  expect(scoreParts({ connection: 12, signal: -40, firmware: 'newest', temperature: 72.5, memory: 99, jobs: 0, data: 90 })).toEqual({
    connection: 0,
    signal: 100,
    firmware: 100,
    temperature: 50,
    memory: 0,
    jobs: 100,
    data: 50,
  });
});

test('scores have three groups', () => {
  expect([100, 80, 79, 50, 49, 0, null].map(healthLevel)).toEqual(['good', 'good', 'fair', 'fair', 'poor', 'poor', 'unknown']);
});
