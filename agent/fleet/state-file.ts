import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Credentials } from './enrol.ts';

/** What a fleet remembers between runs, so that it rejoins instead of enrolling again. */
export interface FleetState {
  seed: string;
  /** By `serial mac`. */
  credentials: Record<string, Credentials>;
}

/** Reads the file; answers `undefined` when there is none yet and throws when it is broken. */
export async function readState(path: string): Promise<FleetState | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed: Partial<FleetState> = Object(JSON.parse(text));
  if (typeof parsed.seed !== 'string' || typeof parsed.credentials !== 'object')
    throw new Error(`${path} is no fleet state; move it away to start again.`);
  return { seed: parsed.seed, credentials: parsed.credentials };
}

/** Replaces the file at once; it holds passwords, so only its owner reads it. */
export async function writeState(path: string, state: FleetState): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
