import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs';
import type * as Antd from 'antd';
import { createElement, type ComponentType, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import type { Plugin } from 'vite';
import { makeConsoleTheme } from '../src/ui/theme/antd-theme.ts';

/** As Node can load it. */
const antd: typeof Antd = createRequire(import.meta.url)('antd');
const root = fileURLToPath(new URL('..', import.meta.url));

/** What is drawn of a component so that all its rules are asked for; without an entry it is the component with no properties. */
const DRAWINGS: Record<string, () => ReactNode> = {
  avatar: () => createElement(antd.Avatar, { src: 'a' }),
  badge: () => createElement(antd.Badge, { status: 'success', text: 'a' }),
  button: () => [createElement(antd.Button, { key: 1 }), createElement(antd.Space.Compact, { key: 2 }, createElement(antd.Button))],
  drawer: () => createElement(antd.Drawer, { open: true, getContainer: false }),
  dropdown: () => createElement(antd.Dropdown, { menu: { items: [] } }, createElement('i')),
  'float-button': () => createElement(antd.FloatButton, { tooltip: 'a' }),
  input: () => [
    createElement(antd.Input, { key: 1 }),
    createElement(antd.Input.TextArea, { key: 2 }),
    createElement(antd.Input.Password, { key: 3 }),
    createElement(antd.Input.Search, { key: 4 }),
  ],
  modal: () => createElement(antd.Modal, { open: true, getContainer: false }),
  popover: () => createElement(antd.Popover, { content: 'a' }, createElement('i')),
  'qr-code': () => createElement(antd.QRCode, { value: 'a' }),
  radio: () => createElement(antd.Radio.Group, { options: ['a'], optionType: 'button' }),
  segmented: () => createElement(antd.Segmented, { options: ['a'] }),
  skeleton: () => [createElement(antd.Skeleton, { key: 1 }), createElement(antd.Skeleton.Node, { key: 2 })],
  tooltip: () => createElement(antd.Tooltip, { title: 'a' }, createElement('i')),
};

/** Folders of antd that draw nothing of their own. */
const PLAIN = new Set(['app', 'config-provider', 'locale', 'theme']);
/** Class names where they are not those of the folder. */
const CLASSES: Record<string, string> = {
  button: 'btn',
  'date-picker': 'picker',
  'time-picker': 'picker',
  'float-button': 'float-btn',
  'qr-code': 'qrcode',
};

/** The components of antd that the console imports, as antd names their folders. */
export function usedComponents(): string[] {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  const folders = sources.flatMap((text) => [...text.matchAll(/'antd\/es\/([\w-]+)/g)].map(([, folder]) => folder ?? ''));
  return [...new Set(folders)].filter((folder) => !PLAIN.has(folder)).toSorted();
}

/** The rules of these components in the console's theme; light, dark and branding are variables in them. Throws for one that has none. */
export function antdRules(components: readonly string[]): string {
  const cache = createCache();
  for (const component of components) {
    const page = createElement(antd.ConfigProvider, { theme: makeConsoleTheme(antd.theme) }, drawing(component));
    renderToString(createElement(StyleProvider, { cache }, page));
  }
  const rules = extractStyle(cache, { plain: true, types: 'style' })
    .replaceAll(CACHE_INDEX, '')
    .replaceAll(PRESETS, '')
    .replaceAll(LINKS, '');
  const without = components.filter((component) => !rules.includes(`.ant-${CLASSES[component] ?? component}`));
  if (without.length > 0) throw new Error(`No rules came of antd's ${without.join(', ')}: say in DRAWINGS how they are drawn`);
  return rules;
}

function drawing(component: string): ReactNode {
  const name = component.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const own = Object.entries(antd).find(([exported]) => exported === name)?.[1];
  return DRAWINGS[component]?.() ?? createElement(own as ComponentType);
}

/** What antd's run-time styles know a sheet by: `.data-ant-cssinjs-cache-path{content:"…";}`. */
const CACHE_INDEX = /\.data-ant-cssinjs-cache-path\{[^}]*\}/g;
/** Rules of antd's preset colours, which nothing uses because not all of them can be read: `.ant-badge-color-blue{…}`. */
const PRESETS = /[^{}]*-(?:blue|purple|cyan|green|magenta|pink|red|orange|yellow|volcano|geekblue|lime|gold)\b[^{}]*\{[^{}]*\}/g;

/** antd's look of all links of the page, which takes their focus ring away: `a:active,a:hover{…}`. */
const LINKS = /(?<=^|\})(?:a(?::\w+|\[\w+\])?,?)+\{[^{}]*\}/g;

const STYLES = 'virtual:antd.css';
const STYLE_HOOKS = /[\\/]antd[\\/]es[\\/]theme[\\/]util[\\/]genStyleUtils\.js$/;
const STYLE_FILE = /[\\/]antd[\\/]es[\\/][\w-]+[\\/]style[\\/]\w+\.js$/;
/** How most style files end: `export default genStyleHooks('Alert', (token) => [genAlertStyle(token)], prepareComponentToken);`. */
const LAST_HOOK = /^export default (genStyleHooks|genSubStyleComponent)\((?:(?!^export )[\s\S])*\);\s*$(?![\s\S]*^export )/m;

/**
 * antd's style sheet, made when the console is built: in the browser its components only name their classes. Computing the rules of the
 * first page or of a form takes longer there than drawing them. Outside a build the sheet is empty and antd makes its rules itself.
 */
export function antdStyles(): Plugin {
  let isBuild = false;
  return {
    name: 'canopy-antd-styles',
    enforce: 'pre',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    resolveId: (id) => (id === STYLES ? `\0${STYLES}` : undefined),
    load(id) {
      // The order of the layers is named here too: this sheet may come before the one that says it first.
      if (id === `\0${STYLES}`) return isBuild ? `@layer base,antd;@layer antd{${antdRules(usedComponents())}}` : '';
      if (!isBuild || !STYLE_HOOKS.test(id)) return undefined;
      return `const wrap = (node) => node;
const names = [wrap, '', ''];
export const genStyleHooks = () => () => names;
export const genComponentStyleHook = () => () => names;
export const genSubStyleComponent = () => () => null;`;
    },
    transform(code, id) {
      if (!isBuild || !STYLE_FILE.test(id)) return undefined;
      // What nobody hands over is left out of the bundle.
      return { code: code.replace(LAST_HOOK, 'export default $1();'), map: null };
    },
  };
}
