import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const AGENT = fileURLToPath(new URL('../../agent/canopy-agent', import.meta.url));
const AGAIN_MS = 5000;
const KILL_AFTER_MS = 5000;

/** A text of this machine that stays, made when there is none. */
function keptText(path: string, make: () => string): string {
  if (!existsSync(path)) writeFileSync(path, make(), { mode: 0o600 });
  return readFileSync(path, 'utf8').trim();
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', [AGENT, ...args], { stdio: ['ignore', 'inherit', 'inherit'], env });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the agent did not join (${code})`))));
  });
}

export interface Joined {
  /** The key of the device that this machine is for the server. */
  device: string;
  /** What the server and this helper prove to each other. */
  key: string;
  stop(): Promise<void>;
}

/**
 * Makes this machine a device of a server, by the device agent, and keeps that running. It joins once; its identity is its own, so that the same machine
 * may be a device beside that. Throws Error when it can not join.
 */
export async function joinServer(dir: string, { join: url, code, name }: { join: string; code?: string; name?: string }): Promise<Joined> {
  const key = keptText(join(dir, 'key'), () => randomBytes(32).toString('base64url'));
  const identity = keptText(join(dir, 'identity'), () => randomBytes(5).toString('hex'));
  const agentDir = join(dir, 'agent');
  const env = { ...process.env, CANOPY_DIR: agentDir, CANOPY_SERIAL: `vpn-${identity}`, CANOPY_MAC: `02${identity}` };
  const settings = join(agentDir, 'agent.conf');
  if (!existsSync(settings)) {
    if (code === undefined) throw new Error('--code is missing: make an enrolment code in the console');
    await run(['join', '--url', url, '--code', code, ...(name === undefined ? [] : ['--name', name])], env);
  }
  const device = /^device_key=(\S+)$/m.exec(readFileSync(settings, 'utf8'))?.[1];
  if (device === undefined) throw new Error(`${settings} has no device key`);
  let isStopped = false;
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  const start = (): void => {
    if (isStopped) return;
    const one = spawn('sh', [AGENT, 'run'], { stdio: ['ignore', 'inherit', 'inherit'], env, detached: true });
    child = one;
    ended = new Promise((resolve) => {
      one.once('error', () => resolve());
      one.once('exit', () => resolve());
    });
    void ended.then(() => setTimeout(start, AGAIN_MS).unref());
  };
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (child?.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  start();
  return {
    device,
    key,
    async stop() {
      isStopped = true;
      kill('SIGTERM');
      const late = setTimeout(() => kill('SIGKILL'), KILL_AFTER_MS);
      await ended;
      clearTimeout(late);
    },
  };
}
