import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BAR_ORDER, countGroups, GROUPS, groupOf, percentDone, STATES_OF } from './progress.ts';
import type { Job } from './job-api.ts';

const NONE: Job['counts'] = { queued: 0, sent: 0, running: 0, ok: 0, failed: 0, skipped: 0, 'timed-out': 0, cancelled: 0 };
const anyCounts = fc.record({
  queued: fc.nat(10_000),
  sent: fc.nat(10_000),
  running: fc.nat(10_000),
  ok: fc.nat(10_000),
  failed: fc.nat(10_000),
  skipped: fc.nat(10_000),
  'timed-out': fc.nat(10_000),
  cancelled: fc.nat(10_000),
});
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

test('every target is counted in exactly one group [B3]', () => {
  fc.assert(fc.property(anyCounts, (counts) => sum(countGroups(counts)) === sum(counts)));
  expect([...GROUPS].toSorted()).toEqual([...BAR_ORDER].toSorted());
  for (const group of GROUPS) for (const state of STATES_OF[group]) expect(groupOf(state)).toBe(group);
});

test('the percent is 100 exactly when nothing is open any more [B4]', () => {
  fc.assert(
    fc.property(anyCounts, (counts) => {
      const percent = percentDone({ counts, total: sum(counts) });
      const open = counts.queued + counts.sent + counts.running;
      expect(percent).toBeGreaterThanOrEqual(0);
      expect(percent === 100).toBe(open === 0);
    }),
  );
  expect(percentDone({ counts: { ...NONE, ok: 9999, queued: 1 }, total: 10_000 })).toBe(99);
});
