import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY } from '../../../kernel/time/index.ts';
import { usePeriodEnd } from './use-period-end.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_767_225_600_000 }));
afterEach(() => void vi.useRealTimers());

test('the period of a dashboard that is read again moves on, so that the last day stays the last day on a wall', () => {
  const opened = Date.now();
  const { result } = renderHook(() => usePeriodEnd(1, 60_000));
  act(() => void vi.advanceTimersByTime(7 * DAY));
  expect(result.current - opened).toBeGreaterThan(6.9 * DAY);
});

test('a dashboard that is not read again keeps the period that it was opened with', () => {
  const opened = Date.now();
  const { result } = renderHook(() => usePeriodEnd(1, false));
  act(() => void vi.advanceTimersByTime(7 * DAY));
  expect(result.current).toBe(opened);
});
