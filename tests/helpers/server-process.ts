import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const READY = /^Canopy is ready at (\S+)$/;

/** Starts the server with these settings, a fresh data folder and free ports, and waits until it ends; for settings that it refuses. */
export async function runStart(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'canopy-test-'));
  const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'warn', PORT: '0', MQTT_PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      // One that starts all the same would never end.
      if (output.includes('Canopy is ready')) child.kill('SIGKILL');
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  rmSync(dataDir, { recursive: true, force: true });
  return { code, output };
}

/** The server as people run it: a process of its own that can be killed and started again on the same data. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  mqttPort: number;
  dataDir: string;
  /** Of the process that runs now; another one after each start. */
  pid(): number;
  /** Everything it wrote so far. */
  output(): string;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Asks it to stop (SIGTERM) and gives the exit code. */
  stop(): Promise<number | null>;
  /** Starts it again on the same data and ports. */
  start(): Promise<void>;
}

/** Starts a script of the project (`scripts/start.ts` by default) with a fresh data folder and free ports, and waits for its ready line. */
export async function startServerProcess(options: { script?: string; env?: Record<string, string> } = {}): Promise<ServerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'canopy-test-'));
  const port = await freePort();
  const mqttPort = await freePort();
  let child: ChildProcess | undefined;
  let output = '';

  const exited = async (running: ChildProcess): Promise<number | null> => {
    if (running.exitCode !== null || running.signalCode !== null) return running.exitCode;
    return new Promise((resolve) => {
      running.once('exit', resolve);
    });
  };

  const start = async (): Promise<void> => {
    const running = spawn(process.execPath, [join(root, options.script ?? 'scripts/start.ts')], {
      cwd: root,
      env: { ...process.env, LOG_LEVEL: 'warn', ...options.env, PORT: String(port), MQTT_PORT: String(mqttPort), DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = running;
    running.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: running.stdout ?? process.stdin }).on('line', (line) => {
        output += `${line}\n`;
        if (READY.test(line)) resolve();
      });
      running.once('exit', (code) => reject(new Error(`the server stopped with ${code} before it was ready:\n${output}`)));
    });
  };

  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    mqttPort,
    dataDir,
    pid: () => child?.pid ?? 0,
    output: () => output,
    start,
    async kill() {
      if (!child) return;
      child.kill('SIGKILL');
      await exited(child);
    },
    async stop() {
      if (!child) return null;
      child.kill('SIGTERM');
      return exited(child);
    },
    async [Symbol.asyncDispose]() {
      if (child) {
        child.kill('SIGKILL');
        await exited(child);
      }
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
