import type { ITheme } from '@xterm/xterm';
import type { ThemeMode } from '../../kernel/theme/mode.ts';
import type { TerminalSettings } from './settings.ts';

/** Sixteen colours that keep their contrast on both backgrounds. */
const LIGHT: ITheme = {
  background: '#ffffff',
  foreground: '#16202c',
  cursor: '#0958d9',
  cursorAccent: '#ffffff',
  selectionBackground: '#cfe0ff',
  black: '#16202c',
  red: '#b3111f',
  green: '#1c6b04',
  yellow: '#7a5000',
  blue: '#0a4fc0',
  magenta: '#8a1f8a',
  cyan: '#0b6472',
  white: '#5b6775',
  brightBlack: '#5b6775',
  brightRed: '#cf1322',
  brightGreen: '#237804',
  brightYellow: '#8a5a00',
  brightBlue: '#0958d9',
  brightMagenta: '#a02aa0',
  brightCyan: '#0e7485',
  brightWhite: '#16202c',
};

const DARK: ITheme = {
  background: '#0e1319',
  foreground: '#e6ebf1',
  cursor: '#6ea8ff',
  cursorAccent: '#0e1319',
  selectionBackground: '#24467f',
  black: '#26303c',
  red: '#ff7875',
  green: '#6fd16f',
  yellow: '#f0b440',
  blue: '#6ea8ff',
  magenta: '#e08ae0',
  cyan: '#5fd0df',
  white: '#c9d2dc',
  brightBlack: '#98a5b4',
  brightRed: '#ff9c99',
  brightGreen: '#95e095',
  brightYellow: '#ffd27a',
  brightBlue: '#9cc4ff',
  brightMagenta: '#f0aef0',
  brightCyan: '#93e4ef',
  brightWhite: '#ffffff',
};

const systemDark = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : undefined;

/** Whether the page is dark now. */
export function isPageDark(mode: ThemeMode): boolean {
  return mode === 'on' || (mode !== 'off' && systemDark?.matches === true);
}

/** The colours that the settings ask for now. */
export function terminalColors(colors: TerminalSettings['colors'], mode: ThemeMode): ITheme {
  return colors === 'dark' || (colors === 'console' && isPageDark(mode)) ? DARK : LIGHT;
}

/** Calls back when the page turns light or dark by itself. */
export function onSystemColors(listener: () => void): () => void {
  systemDark?.addEventListener('change', listener);
  return () => systemDark?.removeEventListener('change', listener);
}
