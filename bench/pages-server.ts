import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type PluginOption } from 'vite';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' };

export interface PagesServer<Page extends string> extends AsyncDisposable {
  url(page: Page): string;
}

interface Options<Page extends string> {
  /** The folder of `<page>.tsx`. */
  folder: string;
  pages: readonly Page[];
  plugins?: PluginOption[];
  /** What is answered at these paths, as JSON. */
  answers?: Record<string, unknown>;
  /** The content policy of the pages. */
  policy?: string;
}

/** Builds pages as the console is built, and serves them on a free port of loopback. */
export async function servePages<Page extends string>({
  folder,
  pages,
  plugins,
  answers = {},
  policy,
}: Options<Page>): Promise<PagesServer<Page>> {
  const outDir = mkdtempSync(join(tmpdir(), 'canopy-bench-pages-'));
  // Test runners say `test`, and React would then come as for developers.
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    plugins: [react(), plugins],
    define: { __BUILT_AT__: '0' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      rolldownOptions: {
        input: Object.fromEntries(pages.map((name) => [name, join(folder, `${name}.tsx`)])),
        output: { entryFileNames: '[name].js' },
      },
      manifest: 'manifest.json',
    },
  });
  if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = NODE_ENV;
  const manifest: Manifest = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8'));
  const bodyOf = (path: string): string | Buffer => {
    const page = pages.find((name) => path === `/${name}`);
    if (page) return html(page, stylesOf(manifest, `${page}.tsx`));
    return path in answers ? JSON.stringify(answers[path]) : readFileSync(join(outDir, path));
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    try {
      const body = bodyOf(pathname);
      const type = pathname in answers ? 'application/json' : TYPES[extname(pathname) || '.html'];
      if (policy !== undefined) response.setHeader('content-security-policy', policy);
      response.writeHead(200, { 'content-type': type ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (page) => `http://127.0.0.1:${port}/${page}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}

/** What the build wrote, by source file or by the name of a shared chunk. */
type Manifest = Record<string, { css?: string[]; imports?: string[] }>;

/** The style sheets of a chunk and of all that it imports, those first, each once. */
function stylesOf(manifest: Manifest, chunk: string, seen = new Set<string>()): string[] {
  if (seen.has(chunk)) return [];
  seen.add(chunk);
  const { imports = [], css = [] } = manifest[chunk] ?? {};
  return [...new Set([...imports.flatMap((other) => stylesOf(manifest, other, seen)), ...css])];
}

function html(page: string, styles: readonly string[]): string {
  const links = styles.map((file) => `<link rel="stylesheet" href="/${file}">`).join('');
  return `<!doctype html><html lang="en"><head><title>${page}</title>${links}</head><body><script type="module" src="/${page}.js"></script></body></html>`;
}
