import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import type { RemoteAnswer, ServerMessage } from '../../schemas/kit/devices/remote-wire.ts';
import { ApiClient } from '../../scripts/api-client.ts';
import { freePort } from '../../tests/helpers/free-port.ts';
import { until } from '../../tests/helpers/until.ts';
import { startServer, type Measured } from './processes.ts';

const AGENT = fileURLToPath(new URL('../../agent/canopy-agent', import.meta.url));

/** A server of its own, set up, with a code by which devices join. */
export interface RemoteWorld extends AsyncDisposable {
  server: Measured;
  api: ApiClient;
  companyId: number;
  code: string;
  /** A folder that goes with it. */
  folder: string;
}

export async function startRemoteWorld(env: Record<string, string> = {}): Promise<RemoteWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-bench-'));
  const ports = { TUNNEL_PORT: String(await freePort()), REMOTE_PORT: String(await freePort()), TUNNEL_PUBLIC_HOST: '127.0.0.1' };
  const dataDir = join(folder, 'data');
  const server = await startServer(dataDir, { ...ports, ...env });
  const api = new ApiClient(server.url);
  const token = readFileSync(join(dataDir, 'set-up-token'), 'utf8').trim();
  const person = { company_name: 'Bench', email: 'a@example.org', first_name: 'A', last_name: 'B', password: 'a long enough phrase' };
  await api.call('POST', '/set-up', { token, ...person });
  const { company_id: companyId } = await api.call<{ company_id: number }>('GET', '/user');
  const { code } = await api.call<{ code: string }>('POST', '/devices/enrolment-codes', {
    company_id: companyId,
    uses: 2000,
    expires_in_hours: 1,
  });
  return {
    server,
    api,
    companyId,
    code,
    folder,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The devices of the world once so many are online; their numbers. */
export function devicesOnline({ api }: RemoteWorld, count: number): Promise<number[]> {
  return until(`${count} devices to be online`, async () => {
    const ids: number[] = [];
    for (let offset = 0; offset < count; offset += 100) {
      const page = await api.call<{ id: number }[]>('GET', `/devices?limit=100&offset=${offset}&status=online&fields=id`);
      ids.push(...page.map(({ id }) => id));
    }
    return ids.length === count && ids;
  });
}

/** Adds an entry to each of these devices; their numbers. */
export async function addEntries(
  { api }: RemoteWorld,
  devices: readonly number[],
  entry: { name: string; destination_port: number; protocol: string },
): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < devices.length; at += 20) {
    const data = devices.slice(at, at + 20).map((device_id) => ({ destination_ip: '127.0.0.1', ...entry, device_id }));
    ids.push(...(await api.call<{ id: number[] }>('POST', '/devices/remote-access', { data })).id);
  }
  return ids;
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, 'SIGKILL');
  await once(child, 'exit');
}

/** Starts the agent of real devices on this machine; its device's number. */
export async function startAgent(world: RemoteWorld, stack: AsyncDisposableStack): Promise<number> {
  const env = { ...process.env, CANOPY_DIR: join(world.folder, 'agent'), CANOPY_SERIAL: '1100000001', CANOPY_MAC: '00:1E:42:00:00:01' };
  const options = { env, detached: true, stdio: 'ignore' } as const;
  await once(spawn('sh', [AGENT, 'join', '--url', world.server.url, '--code', world.code], options), 'exit');
  const agent = spawn('sh', [AGENT, 'run'], options);
  stack.defer(() => endOf(agent));
  const [device = 0] = await devicesOnline(world, 1);
  return device;
}

/** A browser's end of a session, without a page. */
export class BenchSession {
  readonly id: number;
  readonly #socket: WebSocket;
  #text = '';
  #keepsText = true;
  #received = 0;
  #messages: ServerMessage[] = [];
  #look = (): void => undefined;
  #ended: string | undefined;

  /** `answer`: what the person answers to questions. */
  static async open(
    { server, api }: RemoteWorld,
    entry: number,
    { hello = { cols: 80, rows: 24 }, answer = () => null }: { hello?: object; answer?(kind: string): RemoteAnswer } = {},
  ): Promise<BenchSession> {
    const { id, url } = await api.call<{ id: number; url: string }>('POST', `/devices/connect/${entry}`, { duration: 3600 });
    const headers = { cookie: api.cookie(), origin: server.url };
    return new BenchSession(id, new WebSocket(`${server.url.replace('http', 'ws')}${url}`, { headers, perMessageDeflate: false }), {
      hello,
      answer,
    });
  }

  constructor(id: number, socket: WebSocket, { hello, answer }: { hello: object; answer(kind: string): RemoteAnswer }) {
    this.id = id;
    this.#socket = socket;
    socket.on('open', () => socket.send(JSON.stringify(hello)));
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        this.#received += data.length;
        if (this.#keepsText) this.#text += data.toString('latin1');
        socket.send(JSON.stringify({ type: 'ack', bytes: data.length }));
      } else {
        const message = JSON.parse(String(data)) as ServerMessage;
        if (message.type === 'ask') socket.send(JSON.stringify({ type: 'answer', id: message.id, answer: answer(message.question.kind) }));
        else if (message.type === 'end') this.#ended = String(data);
        this.#messages.push(message);
      }
      this.#look();
    });
    socket.on('close', () => {
      this.#ended ??= 'closed';
      this.#look();
    });
    socket.on('error', () => undefined);
  }

  /** Waits until `isThere` holds, looked at with each message. */
  async #until(isThere: () => boolean): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#look = () => {
        if (isThere()) resolve();
        else if (this.#ended !== undefined) reject(new Error(`the session ended: ${this.#ended}`));
      };
      this.#look();
    });
  }

  shown(text: string): Promise<void> {
    return this.#until(() => this.#text.includes(text));
  }

  type(text: string): void {
    this.#socket.send(Buffer.from(text));
  }

  /** Sends a key and waits for its echo; milliseconds. */
  async typeKey(key: string): Promise<number> {
    this.#text = '';
    this.#keepsText = true;
    const pressed = performance.now();
    this.type(key);
    await this.shown(key);
    return performance.now() - pressed;
  }

  /** Runs a command and waits for so many bytes of it; milliseconds. */
  async run(command: string, bytes: number): Promise<number> {
    this.#received = 0;
    this.#keepsText = false;
    const begun = performance.now();
    this.type(command);
    await this.#until(() => this.#received >= bytes);
    return performance.now() - begun;
  }

  async opened(): Promise<void> {
    await this.#until(() => this.#messages.some(({ type }) => type === 'open'));
  }

  /** Sends a file as the console does, with at most one window of bytes not yet acknowledged; answers milliseconds. */
  async upload(path: string, content: Buffer, { chunk, window }: { chunk: number; window: number }): Promise<number> {
    const begun = performance.now();
    const call = (id: number, body: object): void => this.#socket.send(JSON.stringify({ type: 'call', id, call: body }));
    const answered = (id: number): Promise<void> =>
      this.#until(() => this.#messages.some((one) => (one.type === 'result' || one.type === 'fault') && one.id === id));
    call(1, { op: 'upload', path, size: content.length, overwrite: true });
    await answered(1);
    const header = Buffer.from([0, 0, 0, 1]);
    for (let at = 0; at < content.length; at += chunk) {
      await this.#until(() => {
        const progress = this.#messages.findLast((one) => one.type === 'progress');
        return at - (progress?.type === 'progress' ? progress.bytes : 0) < window;
      });
      this.#socket.send(Buffer.concat([header, content.subarray(at, at + chunk)]));
    }
    call(2, { op: 'upload-end', upload: 1 });
    await answered(2);
    return performance.now() - begun;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === WebSocket.CLOSED) return resolve();
      this.#socket.once('close', () => resolve());
      this.#socket.close();
    });
  }
}
