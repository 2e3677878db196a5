import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  document.cookie = 'canopy_dark=; Max-Age=0; Path=/';
});

const shown = () => document.documentElement.dataset['theme'];

test('the mode is on the page at once and in the cookie for the next paint; auto needs no cookie [X4]', async () => {
  const { applyThemeMode, changeThemeMode } = await import('./mode.ts');
  applyThemeMode();
  expect(shown()).toBe('auto');
  changeThemeMode('on');
  expect([shown(), document.cookie]).toEqual(['on', 'canopy_dark=on']);
  changeThemeMode('auto');
  expect([shown(), document.cookie]).toEqual(['auto', '']);
});

test('a cookie with anything else means auto', async () => {
  document.cookie = 'canopy_dark=javascript; Path=/';
  const { applyThemeMode } = await import('./mode.ts');
  applyThemeMode();
  expect(shown()).toBe('auto');
});
