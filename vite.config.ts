import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import packageFile from './package.json' with { type: 'json' };
import { contractForms } from './schemas/kit/vite-plugin.ts';
import { changelog } from './scripts/changelog-plugin.ts';
import { preloadStart } from './scripts/preload-plugin.ts';

/** How long a test may take before it counts as hung; busy machines are slow, and nothing is gained by giving up early. */
const DEADLINE_MS = 180_000;
const SERVER = process.env['CANOPY_SERVER'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`;
const builtAt = Date.now();

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
    versionFile(),
    contractForms(),
    changelog(),
    preloadStart(
      ['/src/app/start/start.tsx', '/src/app/ConsoleApp.tsx', '/src/engine/table/ResourceListPage.tsx'],
      ['inter-latin-wght-normal'],
    ),
  ],
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
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 4 },
            { name: 'base', test: /node_modules[\\/](axios|dayjs)[\\/]|src[\\/]kernel[\\/]/, priority: 3 },
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
    maxWorkers: 2,
    expect: { poll: { timeout: DEADLINE_MS / 4 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'console',
          environment: 'jsdom',
          // A window of its own for each file, in a process that goes on: a third of the time of a process for each.
          pool: 'vmForks',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['src/test-setup.ts'],
          testTimeout: DEADLINE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['{schemas,server,agent,scripts,bench}/**/*.test.ts', 'tests/{api,contract,edges,architecture}/**/*.test.ts'],
          globalSetup: ['tests/helpers/database-template.ts'],
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
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
