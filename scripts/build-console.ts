import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist', 'console.sha256');
const SOURCES = [
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'resources.config.ts',
  'resources/*.ts',
  'CHANGELOG.md',
  'src/**/*',
  'schemas/**/*',
];

function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/** Builds the console into dist/console unless the same sources were built before. Throws when the build fails. */
export function buildConsole(): void {
  const wanted = fingerprint();
  if (existsSync(join(root, 'dist', 'console', 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Building the console …');
  // @NOTE A process of its own: the bundler's memory must not stay in the server.
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const result = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) throw new Error('The console could not be built; see the lines above.');
  writeFileSync(stamp, wanted);
}

if (import.meta.main) buildConsole();
