import { readFile } from 'node:fs/promises';
import { stream } from '../answer.ts';
import { route, type App } from '../route.ts';

const AGENT = new URL('../../../agent/canopy-agent', import.meta.url);

/** Registers the address from which devices fetch the agent: one shell script, open to everybody. */
export function registerAgentFile(app: App): void {
  route(app, {
    method: 'GET',
    path: '/agent/canopy-agent',
    atRoot: true,
    access: 'public',
    summary: 'The device agent, a shell script.',
    mediaType: 'text/x-shellscript',
    tag: 'devices',
    handler: async () =>
      stream(await readFile(AGENT), { 'content-type': 'text/x-shellscript; charset=utf-8', 'cache-control': 'no-cache' }),
  });
}
