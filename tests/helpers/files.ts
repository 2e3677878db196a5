import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from './as.ts';
import { filePart, sendParts } from './multipart.ts';
import type { World } from './world.ts';

/** The names of all files below a folder of the data folder. */
export function namesBelow(world: World, folder: string): string[] {
  const path = join(world.ctx.config.dataDir, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

/** Uploads a file as the form for it does. */
export function upload(
  world: World,
  caller: Caller,
  company: { id: number },
  content: string | Buffer,
  name = 'ferry.cfg',
  type = 'config',
) {
  return sendParts(world, caller, '/files', [
    { name: 'company_id', text: String(company.id) },
    { name: 'type', text: type },
    { name: 'description', text: 'For the ferries' },
    filePart(content, name),
  ]);
}

/** The answer as it comes, with bytes and headers; with a body it is a POST. */
export async function download(world: World, caller: Caller, path: string, headers: Record<string, string> = {}, body?: object) {
  return world.app.fastify.inject({
    method: body ? 'POST' : 'GET',
    url: `/api${path}`,
    headers: { ...caller.headers, ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  });
}
