import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { contractForms } from '../../schemas/kit/vite-plugin.ts';
import { bigForm, SIZES } from './big-form.ts';

/** The pages that are measured beside each other. */
export const PAGES = ['ours', 'stock', 'antd'] as const;
export type PageName = (typeof PAGES)[number];

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' };

export interface PagesServer extends AsyncDisposable {
  /** Address of a page with a form of so many fields. */
  url(page: PageName, size: number): string;
}

/** Builds the pages as the console is built, and serves them on a free port of loopback. */
export async function servePages(): Promise<PagesServer> {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-bench-forms-'));
  mkdirSync(join(folder, 'forms', 'bench'), { recursive: true });
  for (const size of SIZES) writeFileSync(join(folder, 'forms', 'bench', `size-${size}.form.json`), JSON.stringify(bigForm(size)));
  const pages = fileURLToPath(new URL('pages', import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    root: pages,
    plugins: [react(), contractForms(join(folder, 'forms'))],
    define: { __BUILT_AT__: '0' },
    build: {
      outDir: join(folder, 'built'),
      emptyOutDir: true,
      target: 'es2023',
      rolldownOptions: {
        input: Object.fromEntries(PAGES.map((name) => [name, join(pages, `${name}.tsx`)])),
        output: { entryFileNames: '[name].js' },
      },
      manifest: 'manifest.json',
    },
  });
  const manifest: Record<string, { css?: string[] }> = JSON.parse(readFileSync(join(folder, 'built', 'manifest.json'), 'utf8'));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    const page = PAGES.find((name) => pathname === `/${name}`);
    try {
      const body = page ? html(page, manifest[`${page}.tsx`]?.css ?? []) : readFileSync(join(folder, 'built', pathname));
      response.writeHead(200, { 'content-type': TYPES[page ? '.html' : extname(pathname)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (page, size) => `http://127.0.0.1:${port}/${page}?size=${size}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function html(page: PageName, styles: readonly string[]): string {
  const links = styles.map((file) => `<link rel="stylesheet" href="/${file}">`).join('');
  return `<!doctype html><html lang="en"><head><title>${page}</title>${links}</head><body><script type="module" src="/${page}.js"></script></body></html>`;
}
