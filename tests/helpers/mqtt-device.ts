import mqtt, { type MqttClient } from 'mqtt';
import { until } from './until.ts';

/** What `POST /api/enrol` gives a device. */
export interface Credentials {
  device_key: string;
  password: string;
  mqtt_host: string;
  mqtt_port: number;
  report_seconds: number;
}

export interface Command {
  id: string;
  verb: string;
  deadline: number;
  timeout: number;
  body: string;
}

export interface Identity {
  serial: string;
  mac: string;
}

let counter = 0;

/** Serial and MAC that no other device of this test run has. */
export function newIdentity(): Identity {
  counter += 1;
  const hex = counter.toString(16).toUpperCase().padStart(6, '0');
  return { serial: `S${process.pid}-${counter}`, mac: `00:1E:42:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4)}` };
}

/** Joins over real HTTP. */
export async function join(url: string, code: string, identity: Identity = newIdentity(), more: object = {}): Promise<Credentials> {
  const response = await fetch(`${url}/api/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ code, model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2', agent: 'test', ...identity, ...more }),
  });
  const answer: { data: Credentials; errors?: unknown } = JSON.parse(await response.text());
  if (response.status !== 201) throw new Error(`enrolment answered ${response.status}: ${JSON.stringify(answer.errors)}`);
  return answer.data;
}

/** A device on a real MQTT connection, which does what a test asks. */
export class MqttDevice implements AsyncDisposable {
  readonly commands: Command[] = [];
  readonly credentials: Credentials;
  readonly identity: Identity;
  readonly client: MqttClient;
  /** Answers each command; a test replaces it. */
  answer: (command: Command, device: MqttDevice) => Promise<void> | void = () => undefined;

  constructor(client: MqttClient, credentials: Credentials, identity: Identity) {
    this.client = client;
    this.credentials = credentials;
    this.identity = identity;
    client.on('error', () => undefined);
    client.on('message', (_topic, payload) => {
      const [head = '', ...rest] = payload.toString().split('\n');
      const [, id = '', verb = '', deadline, timeout] = head.split(' ');
      const command = { id, verb, deadline: Number(deadline), timeout: Number(timeout), body: rest.join('\n') };
      this.commands.push(command);
      void this.answer(command, this);
    });
  }

  /** Publishes below `up/` and resolves when the server has it on disk. Not a text: sent as bytes. */
  async say(topic: string, payload: object | string | Buffer): Promise<void> {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    await this.client.publishAsync(`canopy/${this.credentials.device_key}/up/${topic}`, bytes, { qos: 1 });
  }

  hello(more: object = {}): Promise<void> {
    return this.say('hello', { v: 1, ...this.identity, model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2', boot_id: 'boot-1', ...more });
  }

  async command(verb: string): Promise<Command> {
    return until(`the command ${verb}`, () => this.commands.find((command) => command.verb === verb));
  }

  /** Resolves when the connection is closed. */
  ended(): Promise<void> {
    return new Promise((resolve) => {
      this.client.once('close', () => resolve());
    });
  }

  /** Loses its line without a word. */
  async drop(): Promise<void> {
    const closed = this.ended();
    this.client.stream.destroy();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.endAsync(true);
  }
}

/** Connects and subscribes as agent/PROTOCOL.md says; says nothing yet. Rejects when the broker refuses. */
export async function connect(
  credentials: Credentials,
  identity: Identity,
  options: { clientId?: string; password?: string } = {},
): Promise<MqttDevice> {
  const { device_key: key, password, mqtt_host: host, mqtt_port: port } = credentials;
  const client = mqtt.connect(`mqtt://${host}:${port}`, {
    username: key,
    password,
    clientId: key,
    keepalive: 30,
    reconnectPeriod: 0,
    clean: true,
    will: { topic: `canopy/${key}/up/status`, payload: Buffer.from('{"online":false}'), qos: 1, retain: false },
    ...options,
  });
  const device = new MqttDevice(client, credentials, identity);
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new Error('closed')));
  });
  if (client.options.clientId === key) await client.subscribeAsync(`canopy/${key}/down/command`, { qos: 1 });
  return device;
}

/** A device that has joined, is connected and has said hello. */
export async function startDevice(url: string, code: string, identity: Identity = newIdentity()): Promise<MqttDevice> {
  const device = await connect(await join(url, code, identity), identity);
  await device.hello();
  return device;
}
