import { readLocal, writeLocal } from '../../kernel/local.ts';
import { createStore } from '../../kernel/store.ts';

export const FONT_SIZES = { least: 9, most: 28, normal: 14 } as const;

export interface TerminalSettings {
  fontSize: number;
  screenReader: boolean;
  /** `console`: as light or dark as the page. */
  colors: 'console' | 'light' | 'dark';
}

const KEY = 'terminal';

function readSettings(): TerminalSettings {
  const kept = readLocal(KEY) ?? '';
  const size = Number(/size=(\d+)/.exec(kept)?.[1]);
  const colors = /colors=(light|dark)/.exec(kept)?.[1];
  return {
    fontSize: size >= FONT_SIZES.least && size <= FONT_SIZES.most ? size : FONT_SIZES.normal,
    screenReader: kept.includes('reader=on'),
    colors: colors === 'light' || colors === 'dark' ? colors : 'console',
  };
}

/** Appearance of terminals in this browser. */
export const terminalSettings = createStore<TerminalSettings>(readSettings());

/** Changes and keeps it. */
export function changeTerminalSettings(change: Partial<TerminalSettings>): void {
  const next = { ...terminalSettings.get(), ...change };
  next.fontSize = Math.min(Math.max(next.fontSize, FONT_SIZES.least), FONT_SIZES.most);
  terminalSettings.set(next);
  writeLocal(KEY, `size=${next.fontSize};reader=${next.screenReader ? 'on' : 'off'};colors=${next.colors}`);
}
