import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Product {
  name: 'console' | 'server';
  /** Of Vite, from the root. */
  config: string;
  /** Is there once it is built, in `dist/<name>`. */
  entry: string;
  /** What it is built from, as globs from the root, beside what all products are built from. */
  sources: string[];
}

const SHARED_SOURCES = ['package-lock.json', 'resources.config.ts', 'resources/*.ts', 'schemas/**/*'];

const CONSOLE: Product = {
  name: 'console',
  config: 'vite.config.ts',
  entry: 'index.html',
  sources: ['index.html', 'CHANGELOG.md', 'docs/**/*.md', 'agent/PROTOCOL.md', 'scripts/*-plugin.ts', 'scripts/read-*.ts', 'src/**/*'],
};

const SERVER: Product = {
  name: 'server',
  config: 'vite.server.config.ts',
  entry: 'main.js',
  sources: ['server/**/*', 'agent/**/*'],
};

function fingerprint({ config, sources }: Product): string {
  const hash = createHash('sha256');
  const files = globSync([...SHARED_SOURCES, config, ...sources], { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

function build(product: Product): void {
  const { name, config, entry } = product;
  const stamp = join(root, 'dist', `${name}.sha256`);
  const wanted = fingerprint(product);
  if (existsSync(join(root, 'dist', name, entry)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log(`Building the ${name} …`);
  // @NOTE A process of its own: the bundler's memory must not stay in the server.
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  // Test runners say `test` to all they start, and React would then come as for developers, half as large again and slow.
  const env = { ...process.env, NODE_ENV: 'production' };
  const result = spawnSync(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  if (result.status !== 0) throw new Error(`The ${name} could not be built; see the lines above.`);
  writeFileSync(stamp, wanted);
}

/** Builds the console into dist/console, unless the same sources were built before. Throws when a build fails. */
export function buildConsole(): void {
  build(CONSOLE);
}

/** Builds the server into dist/server, likewise: a start from few files takes a third less time, and less memory, than from 1,300. */
export function buildServer(): void {
  build(SERVER);
}

if (import.meta.main) {
  buildConsole();
  buildServer();
}
