import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mqtt, { type MqttClient } from 'mqtt';
import { DEADLINE_MS, eventually, killGroup } from './agent-machine.ts';

export const AGENT = join(import.meta.dirname, '../../agent/canopy-agent');
const PASSWORD = 'p'.repeat(40);

/** One message that a device published, its payload as bytes and, when it is JSON, parsed. */
export interface Heard {
  device: string;
  topic: string;
  payload: Buffer;
  json: Record<string, unknown>;
}

export interface ServedFile {
  content: Buffer;
  /** The connection breaks off behind so many bytes of each answer. */
  breaksAfter?: number;
  /** The ranges that were asked for. */
  ranges?: (string | undefined)[];
}

const FILE_ADDRESS = '/api/device-files/';

/** The bytes of the one file in a multipart body. */
function fileOf(body: Buffer): Buffer {
  const [boundary = ''] = body.toString('latin1').split('\r\n', 1);
  const start = body.indexOf('\r\n\r\n') + 4;
  return body.subarray(start, body.indexOf(`\r\n${boundary}`, start, 'latin1'));
}

/** Answers a port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function parseJson(payload: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(payload.toString('utf8')));
  } catch {
    return {};
  }
}

export type Program = ChildProcess & { said: () => string };

/** A real mosquitto with passwords and an ACL, a small enrolment endpoint, and ears on every device topic. */
export class AgentWorld implements AsyncDisposable {
  readonly heard: Heard[] = [];
  readonly enrolments: { headers: IncomingMessage['headers']; body: Record<string, unknown> }[] = [];
  readonly keys: string[] = [];
  /** What a command's file address gives, by the id of the command. */
  readonly files = new Map<string, ServedFile>();
  /** What came to a command's file address. */
  readonly received: { id: string; authorization: string | undefined; bytes: Buffer }[] = [];
  refusal: { status: number; headers: Record<string, string> } | undefined;
  reportSeconds = 2;
  folder = '';
  url = '';
  mqttPort = 0;
  tlsPort: number | undefined;
  private broker: ChildProcess | undefined;
  private server: MqttClient | undefined;
  private http: Server | undefined;
  private readonly children: ChildProcess[] = [];
  private enrolled = 0;
  private waiting: (() => void)[] = [];

  static async start({ devices = 3, tls = false }: { devices?: number; tls?: boolean } = {}): Promise<AgentWorld> {
    const world = new AgentWorld();
    world.folder = await mkdtemp(join(tmpdir(), 'canopy-agent-'));
    for (let i = 0; i < devices; i += 1)
      world.keys.push(Array.from(randomBytes(20), (byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32]).join(''));
    const users = [...world.keys.map((key) => `${key}:${PASSWORD}`), 'server:server'].join('\n');
    await writeFile(join(world.folder, 'users'), `${users}\n`);
    execFileSync('mosquitto_passwd', ['-U', join(world.folder, 'users')]);
    await writeFile(
      join(world.folder, 'acl'),
      'user server\ntopic readwrite canopy/#\npattern write canopy/%u/up/#\npattern read canopy/%u/down/command\n',
    );
    world.mqttPort = await findFreePort();
    const lines = [
      'user root',
      `listener ${world.mqttPort} 127.0.0.1`,
      'allow_anonymous false',
      `password_file ${world.folder}/users`,
      `log_dest file ${world.folder}/mosquitto.log`,
      'log_type all',
      // What a device publishes while the ears are still reconnecting waits for them.
      'persistence true',
      `persistence_location ${world.folder}/`,
    ];
    await writeFile(join(world.folder, 'mosquitto.conf'), `${[...lines, `acl_file ${world.folder}/acl`].join('\n')}\n`);
    if (tls) await world.addTls();
    await world.startBroker();
    await world.startEnrolment();
    return world;
  }

  /** A second listener with a certificate of its own authority, `ca.pem` in the folder; devices are sent there. */
  private async addTls(): Promise<void> {
    const file = (name: string) => join(this.folder, name);
    const subject = ['-nodes', '-days', '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', file('key.pem'), '-out', file('ca.pem')];
    execFileSync('openssl', ['req', '-x509', ...key, ...subject], { stdio: 'ignore' });
    this.tlsPort = await findFreePort();
    await appendFile(
      file('mosquitto.conf'),
      `listener ${this.tlsPort} 127.0.0.1\ncertfile ${file('ca.pem')}\nkeyfile ${file('key.pem')}\n`,
    );
  }

  async startBroker(): Promise<void> {
    this.broker = spawn('mosquitto', ['-c', join(this.folder, 'mosquitto.conf')], {
      stdio: 'ignore',
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
    });
    if (this.server === undefined) {
      this.server = mqtt.connect({
        host: '127.0.0.1',
        port: this.mqttPort,
        username: 'server',
        password: 'server',
        clientId: 'ears',
        clean: false,
        reconnectPeriod: 50,
      });
      this.server.on('error', () => {});
      this.server.on('message', (topic, payload, { dup }) => {
        // What was heard just before a restart of the broker comes again after it.
        if (dup && this.heard.some((m) => topic.endsWith(m.topic) && m.payload.equals(payload))) return;
        this.heard.push({
          device: topic.split('/')[1] ?? '',
          topic: topic.replace(/^canopy\/[^/]*\//, ''),
          payload,
          json: parseJson(payload),
        });
        for (const wake of this.waiting.splice(0)) wake();
      });
      await this.waitForServer();
      await this.server.subscribeAsync('canopy/+/up/#', { qos: 1 });
    } else await this.waitForServer();
  }

  private async waitForServer(): Promise<void> {
    await eventually('the server is connected', () => this.server?.connected === true);
  }

  async stopBroker(): Promise<void> {
    if (this.broker === undefined) return;
    this.broker.kill('SIGTERM');
    await once(this.broker, 'exit');
  }

  private async startEnrolment(): Promise<void> {
    this.http = createServer(async (request, response) => {
      if (request.url === '/agent/canopy-agent') return response.end(await readFile(AGENT));
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      if (request.url?.startsWith(FILE_ADDRESS)) return this.exchangeFile(request, response, Buffer.concat(chunks));
      this.enrolments.push({ headers: request.headers, body: parseJson(Buffer.concat(chunks)) });
      if (this.refusal !== undefined) return response.writeHead(this.refusal.status, this.refusal.headers).end('refused');
      const data = {
        device_key: this.keys[this.enrolled++ % this.keys.length],
        password: PASSWORD,
        mqtt_host: '127.0.0.1',
        mqtt_port: this.tlsPort ?? this.mqttPort,
        mqtt_tls: this.tlsPort === undefined ? 0 : 1,
        report_seconds: this.reportSeconds,
        motd: 'a key of the future',
      };
      const plain = request.headers.accept === 'text/plain';
      const lines = Object.entries(data).map(([key, value]) => `${key}=${value}\n`);
      return response
        .writeHead(plain ? 200 : 201, { 'content-type': plain ? 'text/plain' : 'application/json' })
        .end(plain ? lines.join('') : JSON.stringify({ success: true, data }));
    }).listen(0, '127.0.0.1');
    await once(this.http, 'listening');
    const address = this.http.address();
    if (address !== null && typeof address !== 'string') this.url = `http://127.0.0.1:${address.port}`;
  }

  private exchangeFile(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const id = request.url?.slice(FILE_ADDRESS.length) ?? '';
    const { authorization, range } = request.headers;
    const expected = `Basic ${Buffer.from(`${this.keys[0]}:${PASSWORD}`).toString('base64')}`;
    if (authorization !== expected) return void response.writeHead(404).end();
    if (request.method === 'POST') {
      this.received.push({ id, authorization, bytes: fileOf(body) });
      return void response.writeHead(200).end('{}');
    }
    const served = this.files.get(id);
    if (!served) return void response.writeHead(404).end();
    (served.ranges ??= []).push(range);
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const part = served.content.subarray(start);
    const headers = {
      'content-length': part.length,
      'content-range': `bytes ${start}-${served.content.length - 1}/${served.content.length}`,
    };
    response.writeHead(range === undefined ? 200 : 206, headers);
    if (served.breaksAfter === undefined || part.length <= served.breaksAfter) return void response.end(part);
    response.write(part.subarray(0, served.breaksAfter), () => setTimeout(() => response.destroy(), 20));
  }

  /** Waits for a message that fits; `after` is a position in `heard`. */
  async hear(what: string, fits: (message: Heard) => boolean, after = 0): Promise<Heard> {
    const end = Date.now() + DEADLINE_MS;
    for (;;) {
      const found = this.heard.slice(after).find(fits);
      if (found !== undefined) return found;
      if (Date.now() > end)
        throw new Error(`not heard: ${what}; heard ${JSON.stringify(this.heard.map((m) => [m.topic, m.json]).slice(-12))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 500);
        this.waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  hello(after = 0, device = this.keys[0]): Promise<Heard> {
    return this.hear('hello', (m) => m.topic === 'up/hello' && m.device === device, after);
  }

  /** The final result of a command. */
  result(id: string, after = 0): Promise<Heard> {
    return this.hear(`result of ${id}`, (m) => m.topic === 'up/result' && m.json['id'] === id && m.json['state'] !== 'running', after);
  }

  async send(payload: string | Buffer, { device = this.keys[0], retain = false } = {}): Promise<void> {
    await this.server?.publishAsync(`canopy/${device}/down/command`, payload, { qos: 1, retain });
  }

  /** Sends a command and answers its final result. */
  async command(
    id: string,
    verb: string,
    body: string | Buffer = '',
    { timeout = 10, deadline = 60, sent = 0 }: { timeout?: number; deadline?: number; sent?: number } = {},
  ): Promise<Record<string, unknown>> {
    const after = this.heard.length;
    await this.send(commandText(id, verb, body, { timeout, deadline, sent }));
    return (await this.result(id, after)).json;
  }

  /** Starts a program that is killed at the end of the world, in a process group of its own. */
  spawn(command: string, args: string[], env: Record<string, string> = {}, uid?: number): Program {
    const child = spawn(command, args, { detached: true, uid, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    this.children.push(child);
    return Object.assign(child, { said: () => said });
  }

  /** The environment of an agent whose folder is in this world. */
  get env(): Record<string, string> {
    return {
      CANOPY_DIR: join(this.folder, 'canopy'),
      CANOPY_SERIAL: 'TEST-1',
      CANOPY_MAC: '00:1e:42:00:00:01',
      CANOPY_BOOT_ID: 'boot-1',
      CANOPY_SETTLE_SECONDS: '0',
    };
  }

  /** Joins and starts an agent under a shell; resolves after its hello. */
  async startAgent(shell = 'sh', env: Record<string, string> = {}): Promise<Program> {
    const join = this.runAgent(['join', '--url', this.url, '--code', 'K7QM-2V9D'], shell, env);
    await once(join, 'exit');
    return await this.restartAgent(shell, env);
  }

  /** Starts an agent that has joined; resolves after its hello. */
  async restartAgent(shell = 'sh', env: Record<string, string> = {}): Promise<Program> {
    const after = this.heard.length;
    const agent = this.runAgent(['run'], shell, env);
    await this.hello(after);
    return agent;
  }

  runAgent(args: string[], shell = 'sh', env: Record<string, string> = {}): Program {
    const [command = 'sh', ...rest] = shell.split(' ');
    return this.spawn(command, [...rest, AGENT, ...args], { ...this.env, ...env });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.children) killGroup(child);
    await this.server?.endAsync(true);
    this.http?.closeAllConnections();
    this.http?.close();
    await this.stopBroker();
    await eventually('the folder is free', () =>
      rm(this.folder, { recursive: true, force: true }).then(
        () => true,
        () => false,
      ),
    );
  }
}

/** The text of down/command; `deadline` and `sent` are seconds from now. */
export function commandText(
  id: string,
  verb: string,
  body: string | Buffer,
  { timeout = 10, deadline = 60, sent = 0 }: { timeout?: number; deadline?: number; sent?: number } = {},
): Buffer {
  const now = Math.floor(Date.now() / 1000);
  return Buffer.concat([Buffer.from(`canopy/1 ${id} ${verb} ${now + deadline} ${timeout} ${now + sent}\n`), Buffer.from(body)]);
}
