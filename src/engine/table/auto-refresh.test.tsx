import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeAllDialogs, confirm } from '../dialogs/index.ts';
import { useAutoRefresh } from './RefreshControl.tsx';

const SECOND = 1000;
let visibility: DocumentVisibilityState;

beforeEach(() => {
  vi.useFakeTimers();
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});
afterEach(() => {
  act(() => closeAllDialogs());
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function refreshEvery10Seconds() {
  const reload = vi.fn();
  renderHook(() => useAutoRefresh(10, reload));
  return reload;
}

test('T14 a list loads again by the clock, but not while the tab is hidden', () => {
  const reload = refreshEvery10Seconds();
  vi.advanceTimersByTime(20 * SECOND);
  expect(reload).toHaveBeenCalledTimes(2);
  visibility = 'hidden';
  vi.advanceTimersByTime(60 * SECOND);
  expect(reload).toHaveBeenCalledTimes(2);
  visibility = 'visible';
  vi.advanceTimersByTime(10 * SECOND);
  expect(reload).toHaveBeenCalledTimes(3);
});

test('T14 it does not load again while a dialog is open, and goes on when that is closed', () => {
  const reload = refreshEvery10Seconds();
  act(() => void confirm({ title: 'Sure?' }));
  vi.advanceTimersByTime(60 * SECOND);
  expect(reload).not.toHaveBeenCalled();
  act(() => closeAllDialogs());
  vi.advanceTimersByTime(10 * SECOND);
  expect(reload).toHaveBeenCalledTimes(1);
});
