import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const agent = fileURLToPath(new URL('../../agent/canopy-agent', import.meta.url));

/** The real agent, as it runs on a Linux machine, in a folder of its own. */
export interface AgentProcess extends AsyncDisposable {
  /** How often its reboot command was run. */
  reboots(): number;
}

/** Joins this machine by an enrolment code and starts the agent. Its reboot only counts and starts the agent again, as a boot would. */
export async function startAgent({ url, code, name }: { url: string; code: string; name: string }): Promise<AgentProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-e2e-agent-'));
  const counter = join(folder, 'reboots');
  const reboot = join(folder, 'reboot');
  writeFileSync(reboot, `#!/bin/sh\necho reboot >> '${counter}'\n`);
  chmodSync(reboot, 0o700);
  const bootId = (): string => (existsSync(counter) ? `boot-${readFileSync(counter, 'utf8').length}` : 'boot-0');
  const env = (): NodeJS.ProcessEnv => ({
    ...process.env,
    CANOPY_DIR: join(folder, 'state'),
    CANOPY_SERIAL: `E2E${Date.now()}`,
    CANOPY_MAC: '02:00:5E:10:00:01',
    CANOPY_MODEL: 'Debian machine',
    CANOPY_BOOT_ID: bootId(),
    CANOPY_REBOOT_COMMAND: reboot,
  });
  const fixed = env();
  const joined = spawnSync('sh', [agent, 'join', '--url', url, '--code', code, '--name', name], { env: fixed, encoding: 'utf8' });
  if (joined.status !== 0) throw new Error(`the agent could not join: ${joined.stderr}`);
  let isOver = false;
  let child: ChildProcess | undefined;
  let running = '';
  const run = (): void => {
    running = bootId();
    child = spawn('sh', [agent, 'run'], { env: { ...fixed, CANOPY_BOOT_ID: running }, stdio: 'ignore', detached: true });
    child.once('exit', () => {
      if (!isOver) run();
    });
  };
  run();
  const watch = setInterval(() => {
    if (bootId() !== running && child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, 100);
  return {
    reboots: () => (existsSync(counter) ? readFileSync(counter, 'utf8').trim().split('\n').length : 0),
    async [Symbol.asyncDispose]() {
      isOver = true;
      clearInterval(watch);
      if (child?.pid !== undefined && child.exitCode === null) {
        const gone = new Promise((resolve) => {
          child?.once('exit', resolve);
        });
        process.kill(-child.pid, 'SIGKILL');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
