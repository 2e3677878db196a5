import type { ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';

export const DEADLINE_MS = 30_000;

/** Asks again every few milliseconds until `read` answers something, and throws with `what` after the deadline. */
export async function eventually<T>(what: string, read: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The shells of the supported systems: `sh` (dash on Debian), and the ash of OpenWrt in busybox. */
export const SHELLS = ['sh', 'busybox sh'];

/** The command lines of all processes now. */
export async function readCommandLines(): Promise<string> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.map((line) => line.replaceAll('\0', ' ')).join('\n');
}

/** The command lines of the processes that still have this agent folder in their environment. */
export async function readRemains(agentFolder: string): Promise<string> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const mine = async (id: string) => (await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')).includes(`CANOPY_DIR=${agentFolder}`);
  const lines = await Promise.all(
    ids.map(async (id) => ((await mine(id)) ? await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') : '')),
  );
  return lines.join('');
}

/** Makes a folder to be the whole PATH: every program of this machine but those named. */
export async function makePathWithout(folder: string, missing: string[]): Promise<string> {
  await mkdir(folder);
  for (const source of ['/bin', '/usr/bin', '/usr/sbin'])
    for (const name of await readdir(source))
      if (!missing.includes(name)) await symlink(join(source, name), join(folder, name)).catch(() => {});
  return folder;
}

/** Kills a program with all that it started, as a power cut would. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it is gone already
  }
}
