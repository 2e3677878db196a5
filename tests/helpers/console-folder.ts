import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send, type Answer } from './as.ts';
import type { World } from './world.ts';

/** The page of `makeConsole`. */
export const PAGE = `<!doctype html>
<html lang="en" data-theme="auto"><head><meta name="csp-nonce" content="" /><title>Canopy</title></head><body></body></html>
`;

/** A folder as the build writes it, with a page, a script and a picture. */
export function makeConsole(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'canopy-console-'));
  mkdirSync(join(path, 'assets'));
  writeFileSync(join(path, 'index.html'), PAGE);
  writeFileSync(join(path, 'assets', 'index-4kdj3.js'), 'export const answer = 42;\n'.repeat(200));
  writeFileSync(join(path, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** An address as browsers open it. */
export const page = (world: World, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(world, 'GET', `/${path}`, { headers: { accept: 'text/html,application/xhtml+xml', ...headers } });
