import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const agent = fileURLToPath(new URL('../../agent/canopy-agent', import.meta.url));

/** The real agent, as it runs on a Linux machine, in a folder of its own. */
export interface AgentProcess extends AsyncDisposable {
  /** What the agent has as the root of its machine's settings. */
  root: string;
  /** How often its reboot command was run, or an image flashed. */
  reboots(): number;
  /** What the service of the firmware says of itself; empty without `image`. */
  serviceSays(): string;
  /** Lets it collect a source that is not on its own list, as the machine's administrator does. */
  allow(source: string): void;
}

interface AgentOptions {
  url: string;
  code: string;
  name: string;
  /** The model that it says it is; default: a Debian machine. */
  model?: string;
  /** The firmware that it starts with: a shell script that names itself when it is run with a file to write to. */
  image?: string;
}

/** What a firmware of these tests is: a program that writes the version it is of. */
export function serviceImage(version: string): string {
  return `#!/bin/sh\nprintf '%s' '${version}' >"$1"\n`;
}

/** A script of its own in a folder, for the agent to run. */
function writeScript(path: string, lines: readonly string[]): string {
  writeFileSync(path, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(path, 0o700);
  return path;
}

/**
 * Joins this machine by an enrolment code and starts the agent. Its reboot only counts and starts the agent again, as a boot would; flashing an image puts
 * it in the place of the former one, which is kept for the way back, and starts the service in it.
 */
export async function startAgent({ url, code, name, model = 'Debian machine', image }: AgentOptions): Promise<AgentProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-e2e-agent-'));
  const [counter, service, says, root] = ['reboots', 'service', 'says', 'root'].map((part) => join(folder, part)) as [
    string,
    string,
    string,
    string,
  ];
  mkdirSync(join(root, 'etc/config'), { recursive: true });
  const boot = `sh '${service}' '${says}'; echo reboot >> '${counter}'`;
  const reboot = writeScript(join(folder, 'reboot'), [`echo reboot >> '${counter}'`]);
  const flash = writeScript(join(folder, 'flash'), [`cp '${service}' '${service}.old' && cp "$CANOPY_IMAGE" '${service}' && { ${boot}; }`]);
  const back = writeScript(join(folder, 'back'), [`cp '${service}.old' '${service}' && { ${boot}; }`]);
  if (image !== undefined) {
    writeFileSync(service, image);
    spawnSync('sh', [service, says]);
  }
  const bootId = (): string => (existsSync(counter) ? `boot-${readFileSync(counter, 'utf8').length}` : 'boot-0');
  const serviceSays = (): string => (existsSync(says) ? readFileSync(says, 'utf8') : '');
  const env = (): NodeJS.ProcessEnv => ({
    ...process.env,
    CANOPY_DIR: join(folder, 'state'),
    CANOPY_SERIAL: `E2E${Date.now()}`,
    CANOPY_MAC: '02:00:5E:10:00:01',
    CANOPY_MODEL: model,
    CANOPY_BOOT_ID: bootId(),
    CANOPY_REBOOT_COMMAND: reboot,
    CANOPY_ROOT: root,
    CANOPY_BACKUP_PATHS: '/etc',
    CANOPY_APPLY_COMMAND: 'true',
    ...(image === undefined ? {} : { CANOPY_FLASH_COMMAND: flash, CANOPY_ROLLBACK_COMMAND: back }),
  });
  const fixed = env();
  const now = (): NodeJS.ProcessEnv => ({
    ...fixed,
    CANOPY_BOOT_ID: bootId(),
    ...(image === undefined ? {} : { CANOPY_FIRMWARE: serviceSays() }),
  });
  const joining = spawn('sh', [agent, 'join', '--url', url, '--code', code, '--name', name], { env: now(), stdio: 'ignore' });
  const [status] = await once(joining, 'exit');
  if (status !== 0) throw new Error('the agent could not join');
  let isOver = false;
  let child: ChildProcess | undefined;
  let running = '';
  const run = (): void => {
    running = bootId();
    child = spawn('sh', [agent, 'run'], { env: now(), stdio: 'ignore', detached: true });
    child.once('exit', () => {
      if (!isOver) run();
    });
  };
  run();
  const watch = setInterval(() => {
    if (bootId() !== running && child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, 100);
  return {
    root,
    reboots: () => (existsSync(counter) ? readFileSync(counter, 'utf8').trim().split('\n').length : 0),
    serviceSays,
    allow: (source) => appendFileSync(join(fixed['CANOPY_DIR'] ?? '', 'collect.allow'), `${source}\n`),
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
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
