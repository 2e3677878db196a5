import { readFileSync } from 'node:fs';
import theme from 'antd/es/theme';
import { expect, test } from 'vitest';
import { makeConsoleTheme } from './antd-theme.ts';

const consoleTheme = makeConsoleTheme(theme);

const declared = new Set([...readFileSync('src/ui/theme/tokens.css', 'utf8').matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name));
const tokens = Object.entries(theme.getDesignToken(consoleTheme));

test('every colour of antd is one of tokens.css, so that dark mode and branding change it without drawing again', () => {
  const colors = tokens.filter(([name]) => /^color(?!BgBase|TextBase|BgBlur)|^control.*(?:Bg|Outline$)/.test(name));
  expect(colors.length).toBeGreaterThan(80);
  expect(colors.filter(([, value]) => !/^var\(--c-[\w-]+\)$/.test(String(value))).map(([name]) => name)).toEqual([]);
});

test('every variable that the theme names is declared', () => {
  const named = [...JSON.stringify([tokens, consoleTheme]).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name);
  expect(named.filter((name) => !declared.has(name ?? ''))).toEqual([]);
});

test('sizes are those of tokens.css', () => {
  const css = readFileSync('src/ui/theme/tokens.css', 'utf8');
  const px = (name: string): number => Number(new RegExp(`--${name}: (\\d+)px`).exec(css)?.[1]);
  const own = Object.fromEntries(tokens);
  expect([
    own['controlHeight'],
    own['controlHeightSM'],
    own['borderRadius'],
    own['borderRadiusLG'],
    own['fontSize'],
    own['fontSizeSM'],
  ]).toEqual(['control-height', 'control-height-small', 'radius-control', 'radius-card', 'text', 'text-small'].map(px));
});

test('each pair of a ground and its text in tokens.css is used by the theme [X1]', () => {
  const css = readFileSync('src/ui/theme/tokens.css', 'utf8');
  const texts = [...css.matchAll(/^ {2}(--c-on-[\w-]+):/gm)].map(([, name]) => name ?? '');
  expect(texts.filter((name) => !JSON.stringify([tokens, consoleTheme]).includes(`var(${name})`))).toEqual([]);
});
