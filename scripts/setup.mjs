// Runs under whatever Node npm itself uses, before the pinned one is installed: plain JavaScript, no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const installed = `${root}node_modules/.package-lock.json`;

// npm writes its own copy of the lock file at the end of an install.
function isInstalled() {
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs;
}

function install() {
  console.log('Installing dependencies (npm ci) …');
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, 'ci']] : ['npm', ['ci']];
  const result = spawnSync(command, [...args, '--include=dev', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) {
    console.error('npm ci failed. See the lines above; with a network at hand, run it again.');
    process.exit(result.status ?? 1);
  }
}

if (!isInstalled()) install();
if (process.argv.includes('--tests')) {
  const { status } = spawnSync(`${root}node_modules/.bin/node`, [`${root}scripts/system-packages.ts`], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
