import { defineConfig } from 'vite';
import { contractForms } from './schemas/kit/vite-plugin.ts';
import { changelog } from './scripts/changelog-plugin.ts';
import packageFile from './package.json' with { type: 'json' };
import react from '@vitejs/plugin-react';

/** The console's first page as a module that the server draws with, packages and all in few files. Its class names are those of the console. */
export default defineConfig({
  plugins: [react(), contractForms(), changelog()],
  publicDir: false,
  define: { __BUILT_AT__: '0', __APP_VERSION__: JSON.stringify(packageFile.version), 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    ssr: 'src/draw.tsx',
    outDir: 'dist/drawing',
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    assetsInlineLimit: 0,
  },
});
