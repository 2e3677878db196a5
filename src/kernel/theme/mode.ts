import { readCookie, writeCookie } from '../cookies.ts';
import { createStore, useStore } from '../store.ts';

/** `auto` follows the system. Kept in a cookie, so that the server draws the first paint in it; the colours themselves are CSS alone. */
export type ThemeMode = 'auto' | 'on' | 'off';

const COOKIE = 'canopy_dark';
const mode = createStore<ThemeMode>(readMode());

function readMode(): ThemeMode {
  const kept = readCookie(COOKIE);
  return kept === 'on' || kept === 'off' ? kept : 'auto';
}

/** Puts the kept mode on the page; needed where the page did not come from our server. */
export function applyThemeMode(): void {
  document.documentElement.dataset['theme'] = mode.get();
}

/** Changes dark mode at once and keeps the choice. */
export function changeThemeMode(next: ThemeMode): void {
  writeCookie(COOKIE, next === 'auto' ? undefined : next);
  mode.set(next);
  applyThemeMode();
}

/** The chosen dark mode, for code outside components. */
export function currentThemeMode(): ThemeMode {
  return mode.get();
}

/** The chosen dark mode. */
export function useThemeMode(): ThemeMode {
  return useStore(mode);
}
