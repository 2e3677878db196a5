import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const MAC = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a Chromium or Chrome: `CHROMIUM_PATH`, else the first on PATH; undefined when there is none. */
export function findBrowser(): string | undefined {
  const asked = process.env['CHROMIUM_PATH'];
  if (asked) return isExecutable(asked) ? asked : undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...MAC].find(isExecutable);
}

function installBrowser(): void {
  if (process.getuid?.() !== 0) return;
  console.log('No Chromium found: installing it with apt-get …');
  spawnSync('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

if (process.argv.includes('--install')) {
  if (!findBrowser()) installBrowser();
  if (!findBrowser()) {
    console.error(
      'The browser tests need Chromium. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to a Chromium or Chrome.',
    );
    process.exit(1);
  }
}
