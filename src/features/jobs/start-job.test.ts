import { describe, expect, test } from 'vitest';
import { resources } from '../../../resources.config.ts';
import type { ResourceEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { jobRequest, makeKey, startsAtOnce, typedConfirmation } from './start-job.ts';
import type { JobPreview } from './job-api.ts';

const preview: JobPreview = { total: 3, seen: null, will_run: 3, skipped: [], warnings: [] };

describe('how strongly a start is confirmed [B2]', () => {
  test('what is harmless needs no typing', () => expect(typedConfirmation('low', 5000, undefined)).toBeUndefined());
  test('what disturbs needs typing above 50 devices', () => {
    expect(typedConfirmation('disruptive', 50, undefined)).toBeUndefined();
    expect(typedConfirmation('disruptive', 51, undefined)).toBe('51');
  });
  test('what destroys always does: the name of one, the number of several', () => {
    expect(typedConfirmation('destructive', 1, 'Quay 04')).toBe('Quay 04');
    expect(typedConfirmation('destructive', 2, undefined)).toBe('2');
  });
  test('only what is harmless and leaves nobody out starts at once', () => {
    const one = { ...preview, total: 1, will_run: 1 };
    expect(startsAtOnce('low', one, false)).toBe(true);
    expect(startsAtOnce('low', preview, true)).toBe(true);
    expect(startsAtOnce('disruptive', one, false)).toBe(false);
    expect(startsAtOnce('low', { ...one, skipped: [{ reason: 'OFFLINE', count: 1, sample: [] }] }, false)).toBe(false);
    expect(startsAtOnce('low', { ...preview, will_run: 0 }, true)).toBe(false);
  });
  test('what is harmless and asks for nothing stops before several devices, where a time is chosen [B7]', () => {
    expect(startsAtOnce('low', preview, false)).toBe(false);
  });
});

test('"all that match" goes as the query and the count seen, not as ids [B1]', () => {
  const selection = { selection: { query: { status: 'online' }, count: 4312 } };
  expect(jobRequest({ kind: 'reboot', data: {}, selection })).toEqual({
    method: 'POST',
    path: '/devices/actions',
    body: { action: 'reboot', ...selection },
  });
  expect(() => jobRequest({ kind: 'fly', data: {}, selection })).toThrow('"fly"');
});

test('each dialog has a key of its own [B2]', () => {
  expect(makeKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(makeKey()).not.toBe(makeKey());
});

test('every job of a menu has a form, or is an action that the API knows', () => {
  const jobs = resources.flatMap(({ actions = [] }: ResourceEntry) => actions.filter((action) => action.kind === 'job'));
  expect(jobs.length).toBeGreaterThan(10);
  for (const action of jobs)
    if (!action.form) expect(() => jobRequest({ kind: action.job, data: {}, selection: { device_id: [1] } })).not.toThrow();
});
