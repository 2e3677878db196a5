import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import packageFile from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const probe = new URL('./probe.mjs', import.meta.url).href;
const READY = / is ready at (\S+)$/;

/** What a process reports about the time since it was last reset. */
export interface ProbeReading {
  delayP99Ms: number;
  delayMaxMs: number;
  /** The longest time that the main thread itself worked between two looks, 5 ms apart: a busy machine or a slow disk does not make it longer. */
  busyMaxMs: number;
  /** The longest time that the main thread held up its loop, working or waiting for the disk; what others on the machine took of it is left out. */
  heldMaxMs: number;
  rssMiB: number;
  peakRssMiB: number;
  /** Of one core, 0 to 1 and above. */
  cpu: number;
}

/** A process under measurement that serves HTTP. */
export interface Measured extends AsyncDisposable {
  url: string;
  pid: number;
  /** From the start of the process to its ready line. */
  startMs: number;
  /** Begins to measure again. */
  reset(): Promise<ProbeReading>;
  read(): Promise<ProbeReading>;
}

function ask(child: ChildProcess, question: 'probe-reset' | 'probe-read'): Promise<ProbeReading> {
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      if (typeof message !== 'object' || message === null || !('probe' in message)) return;
      child.off('message', listen);
      resolve(message.probe as ProbeReading);
    };
    child.on('message', listen);
    child.send(question);
  });
}

/** Starts a script that prints `… is ready at <url>`, with the probe in it unless other `flags` are given, and waits for that line. */
export async function startMeasured(script: string, env: Record<string, string>, flags = ['--import', probe]): Promise<Measured> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...flags, script], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const ready = READY.exec(line)?.[1];
        if (ready) resolve(ready);
      });
    }
    void ended.then((code) => reject(new Error(`${script} stopped with ${code} before it was ready`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - begun,
    reset: () => ask(child, 'probe-reset'),
    read: () => ask(child, 'probe-read'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const [, ...flagsOfStart] = packageFile.scripts.start.split(' ').slice(0, -1);

/** The server of the product on a data folder as `npm start` starts it, with free ports. */
export function startServer(dataDir: string, env: Record<string, string> = {}): Promise<Measured> {
  return startMeasured('scripts/start.mjs', { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', ...env }, [...flagsOfStart, '--import', probe]);
}

/** The same without the probe: reading it is not possible. */
export function startAsInstalled(dataDir: string): Promise<Measured> {
  return startMeasured('scripts/start.mjs', { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0' }, flagsOfStart);
}

/** The smallest server that does the same: Fastify and SQLite with hand-written queries, no accounts, no checks. */
export function startBare(dataDir: string, flags?: string[]): Promise<Measured> {
  return startMeasured('bench/server/bare.ts', { DATA_DIR: dataDir }, flags);
}
