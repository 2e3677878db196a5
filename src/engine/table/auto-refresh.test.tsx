import { act, render, renderHook } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeAllDialogs, confirm } from '../dialogs/index.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { getResource } from '../resources/all.ts';
import { Updated, useAutoRefresh, useRefreshMode } from './RefreshControl.tsx';

const SECOND = 1000;
let visibility: DocumentVisibilityState;

beforeAll(() => startI18n('en'));
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

test('a list loads again by the clock, but not while the tab is hidden [T14]', () => {
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

test('it does not load again while a dialog is open, and goes on when that is closed [T14]', () => {
  const reload = refreshEvery10Seconds();
  act(() => void confirm({ title: 'Sure?' }));
  vi.advanceTimersByTime(60 * SECOND);
  expect(reload).not.toHaveBeenCalled();
  act(() => closeAllDialogs());
  vi.advanceTimersByTime(10 * SECOND);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('the age of the list is shown, and grows [T14]', () => {
  vi.setSystemTime(60 * SECOND);
  render(<Updated at={55 * SECOND} />);
  const age = () => document.body.textContent;
  const first = age();
  act(() => vi.advanceTimersByTime(5 * SECOND));
  expect([first, age()]).toEqual(['Updated 5 s ago', 'Updated 10 s ago']);
});

test('a list whose records change by themselves loads again from the start, another only when somebody wants it [T14]', () => {
  const modeOf = (name: string) => renderHook(() => useRefreshMode(getResource(name))).result.current[0];
  expect([modeOf('vpn-clients'), modeOf('devices'), modeOf('tags'), modeOf('vpn-routes')]).toEqual([10, 'live', 'live', 'off']);
});
