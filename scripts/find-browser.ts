import { findOnPath, isExecutable } from './find-program.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const MAC = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/** The path of a Chromium or Chrome: `CHROMIUM_PATH`, else the first on PATH; undefined when there is none. */
export function findBrowser(): string | undefined {
  const asked = process.env['CHROMIUM_PATH'];
  if (asked) return isExecutable(asked) ? asked : undefined;
  return findOnPath(NAMES) ?? MAC.find(isExecutable);
}
