import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const OUT_DIR = 'dist/server';

const OWN_ADDRESS = /new URL\('\.\/([\w-]+-worker)\.ts', import\.meta\.url\)|import\.meta\.url/g;

/** Workers are built too. A module that looks for other files finds them beside its source: schemas and the agent are not built. */
function ownAddresses(): Plugin {
  return {
    name: 'canopy-own-addresses',
    transform(code, id) {
      if (id.includes('node_modules') || !code.includes('import.meta.url')) return undefined;
      const source = relative(OUT_DIR, relative(root, id)).replaceAll('\\', '/');
      return code.replace(OWN_ADDRESS, (_, worker?: string) =>
        worker ? `new URL('./${worker}.js', import.meta.url)` : `new URL('${source}', import.meta.url).href`,
      );
    },
  };
}

/** The server as few files, for quick starts. Packages stay outside, but for the one that alone is 250 files. */
export default defineConfig({
  plugins: [ownAddresses()],
  publicDir: false,
  ssr: { noExternal: ['kysely'] },
  build: {
    ssr: true,
    outDir: OUT_DIR,
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: ['server/main.ts', ...globSync('server/**/*-worker.ts', { cwd: root })],
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
