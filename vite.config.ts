import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import packageFile from './package.json' with { type: 'json' };
import { contractForms } from './schemas/kit/codegen/vite-plugin.ts';
import { antdStyles } from './scripts/antd-styles-plugin.ts';
import { changelog } from './scripts/changelog-plugin.ts';
import { help } from './scripts/help-plugin.ts';
import { preloadStart } from './scripts/preload-plugin.ts';
import { CONSOLE_TEXTS, PUBLIC_TEXTS } from './src/kernel/i18n/start-texts.ts';

/** How long a test may take before it counts as hung; busy machines are slow, and nothing is gained by giving up early. */
const DEADLINE_MS = 180_000;
const SERVER = process.env['CANOPY_SERVER'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`;
const builtAt = Date.now();

/** The chunk of a file of texts that comes with the start (`texts-nb`, `console-texts-nb`); `undefined` for any other module. */
function startTextsOf(id: string): string | undefined {
  const list = /[\\/]src[\\/]locales[\\/](\w+)\.ts$/.exec(id)?.[1];
  if (list !== undefined) return `texts-${list}`;
  const [folder = '', file = ''] = id
    .replace(/\.json$/, '')
    .split('/')
    .slice(-2);
  if (!id.endsWith('.json') || !/[\\/](src[\\/]locales|schemas[\\/]credit-types)[\\/]/.test(id)) return undefined;
  if (folder === 'credit-types') return `console-texts-${file}`;
  if (PUBLIC_TEXTS.some((name) => name === file)) return `texts-${folder}`;
  return CONSOLE_TEXTS.some((name) => name === file) ? `console-texts-${folder}` : undefined;
}

/** Writes `version.json`, which open consoles compare with the time in their own code to learn of a newer version. */
function versionFile(): Plugin {
  return {
    name: 'canopy-version-file',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'version.json', source: JSON.stringify({ timestamp: builtAt }) });
    },
  };
}

export default defineConfig({
  plugins: [
    react(),
    antdStyles(),
    versionFile(),
    contractForms(),
    changelog(),
    help(),
    preloadStart(
      ['/src/app/start/start.tsx', '/src/app/ConsoleApp.tsx', '/src/engine/table/ResourceListPage.tsx'],
      ['inter-latin-wght-normal'],
    ),
  ],
  resolve: { alias: { 'markdown-to-jsx/react': fileURLToPath(new URL('src/engine/form/theme/plain-words.ts', import.meta.url)) } },
  publicDir: 'src/public',
  define: { __BUILT_AT__: JSON.stringify(builtAt), __APP_VERSION__: JSON.stringify(packageFile.version) },
  build: {
    outDir: 'dist/console',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Inlined files would need `data:` in the content policy for fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: [
          // A component that a page does not use does not come with it, though src/ui/index.ts names all of them.
          { test: /[\\/]src[\\/]ui[\\/].*\.tsx?$/, sideEffects: false },
          // These do nothing when they are loaded, but do not say so: antd's form engine and Refine's import of CSV files would come with every page, and fields of
          // @refinedev/antd with the first notification.
          {
            test: /node_modules[\\/](rc-[\w-]+|@rc-component[\\/][\w-]+|papaparse|react-markdown|remark-gfm|sunflower-antd)[\\/]/,
            sideEffects: false,
          },
        ],
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 4 },
            {
              debugName: 'texts',
              name: (id) => startTextsOf(id) ?? '',
              test: (id) => startTextsOf(id) !== undefined,
              // After those that hold what all code needs, or it would be in the texts of one language.
              priority: 0,
            },
            {
              name: 'base',
              test: /vite[\\/]preload-helper|node_modules[\\/](axios|dayjs|i18next)[\\/](?!locale)|src[\\/]kernel[\\/](?!i18n[\\/](Trans|all-time-words))/,
              priority: 3,
            },
            // What the first list needs is one file: dozens of small ones take longer than their bytes.
            {
              name: 'console',
              test: /src[\\/](app[\\/](ConsoleApp|shell)|engine[\\/](table[\\/]ResourceListPage|dialogs[\\/]DialogHost)|features[\\/]devices[\\/]StatisticsStrip)/,
              priority: 2,
            },
            {
              name: 'header',
              test: /src[\\/]features[\\/](announcements[\\/]AnnouncementsWidget|notifications[\\/]NotificationBell)/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: SERVER },
      '/health': { target: SERVER },
      '/status': { target: SERVER, ws: true },
      '/agent': { target: SERVER },
      '/forms-code': { target: SERVER },
      '/schemas/form-v1.json': { target: SERVER },
    },
  },
  test: {
    // One processor is left for the database, the browser and what else a test starts.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Node 24 dies now and then where threads come and go: on processors with keys for the protection of memory (nodejs/node#64500), and where threads that
    // load TypeScript share the WebAssembly that reads it, when its calls into JavaScript are compiled again (in WasmEngine::FreeDeadCode).
    execArgv: ['--no-memory-protection-keys', '--wasm-wrapper-tiering-budget=2000000000'],
    expect: { poll: { timeout: DEADLINE_MS / 4 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'console',
          environment: 'jsdom',
          // What Node can load as it is, without a transformation for each test file.
          alias: [{ find: /^antd\/es\//, replacement: 'antd/lib/' }],
          // A window of its own for each file, in a process that goes on: a third of the time of a process for each.
          pool: 'vmForks',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['src/test-setup.ts'],
          testTimeout: DEADLINE_MS,
        },
      },
      // The server's files share their modules: loading them for each file would take as long as all tests.
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['{schemas,server,agent,scripts,bench}/**/*.test.ts', 'tests/{api,contract,edges,architecture}/**/*.test.ts'],
          globalSetup: ['tests/helpers/database-template.ts'],
          isolate: false,
          testTimeout: DEADLINE_MS,
          hookTimeout: DEADLINE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          environment: 'node',
          include: ['tests/api/**/*.test.ts'],
          // A full disk and a locked file are SQLite's own.
          exclude: ['tests/api/{disk-full,locked-database}.test.ts'],
          globalSetup: ['tests/helpers/postgres-template.ts'],
          isolate: false,
          testTimeout: DEADLINE_MS,
          hookTimeout: DEADLINE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/build.ts', 'tests/helpers/database-template.ts'],
          isolate: false,
          // After all others: tests of VPNs make network interfaces, and Chromium drops what it loads when one comes or goes (ERR_NETWORK_CHANGED).
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
