import { readCookie, writeCookie } from './cookies.ts';
import { createStore, useStore } from './store.ts';

/** `auto` follows the system. Kept in a cookie, so that the server draws the first paint in it. */
export type ThemeMode = 'auto' | 'on' | 'off';

const COOKIE = 'canopy_dark';
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
const mode = createStore<ThemeMode>(readMode());
const isDark = createStore(resolve());

prefersDark.addEventListener('change', () => isDark.set(resolve()));

function readMode(): ThemeMode {
  const kept = readCookie(COOKIE);
  return kept === 'on' || kept === 'off' ? kept : 'auto';
}

function resolve(): boolean {
  return mode.get() === 'auto' ? prefersDark.matches : mode.get() === 'on';
}

/** Puts the kept mode on the page; needed where the page did not come from our server. */
export function applyThemeMode(): void {
  document.documentElement.dataset['theme'] = mode.get();
}

/** Changes dark mode at once and keeps the choice. */
export function changeThemeMode(next: ThemeMode): void {
  writeCookie(COOKIE, next === 'auto' ? undefined : next);
  mode.set(next);
  isDark.set(resolve());
  applyThemeMode();
}

/** The chosen dark mode. */
export function useThemeMode(): ThemeMode {
  return useStore(mode);
}

/** Whether the page is dark now, for code that cannot follow CSS variables. */
export function useIsDark(): boolean {
  return useStore(isDark);
}
