import { readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import mqtt, { type MqttClient } from 'mqtt';
import { expect, test } from 'vitest';
import type { Job } from '../../schemas/_generated/contract.ts';
import { ApiClient } from '../../scripts/api-client.ts';
import { join, newIdentity, type Credentials, type Identity } from '../helpers/mqtt-device.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';

const DEVICES = 40;
const PASSWORD = 'a long enough phrase';

/** A device that comes back by itself and, as agent/PROTOCOL.md asks, does each command once and repeats its answer. */
class SteadyDevice implements AsyncDisposable {
  /** How often the work of each command was really done. */
  readonly applied = new Map<string, number>();
  /** Commands whose final answer the server has acknowledged. */
  readonly acknowledged = new Set<string>();
  private readonly client: MqttClient;
  private readonly key: string;

  constructor(credentials: Credentials, identity: Identity) {
    const { device_key: key, password, mqtt_port: port } = credentials;
    this.key = key;
    this.client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
      username: key,
      password,
      clientId: key,
      keepalive: 30,
      reconnectPeriod: 100,
      clean: true,
    });
    this.client.on('error', () => undefined);
    this.client.on('connect', () => {
      this.client.subscribe(`canopy/${key}/down/command`, { qos: 1 }, () => {
        this.say('hello', { v: 1, ...identity, boot_id: 'b' });
      });
    });
    this.client.on('message', (_topic, payload) => {
      const id = payload.toString().split(' ')[1] ?? '';
      if (!this.applied.has(id)) this.applied.set(id, 1);
      this.say('result', { id, state: 'ok', code: 0, output: `done by ${key}` }, () => this.acknowledged.add(id));
    });
  }

  private say(topic: string, payload: object, done: () => void = () => undefined): void {
    this.client.publish(`canopy/${this.key}/up/${topic}`, JSON.stringify(payload), { qos: 1 }, (error) => {
      if (!error) done();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.endAsync(true);
  }
}

async function signUp(server: ServerProcess): Promise<ApiClient> {
  const api = new ApiClient(server.url);
  const token = readFileSync(joinPath(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { company_name: 'Harbour', email: 'ada@example.org', first_name: 'Ada', last_name: 'Holm', password: PASSWORD };
  await api.call('POST', '/set-up', { token, ...person });
  return api;
}

async function onlineCount(api: ApiClient): Promise<number> {
  const statistics = await api.call<{ status: Record<string, number> }>('GET', '/devices/statistics');
  return statistics.status['1'] ?? statistics.status['online'] ?? 0;
}

async function theJob(api: ApiClient): Promise<Job | undefined> {
  return (await api.call<Job[]>('GET', '/jobs?limit=1&sort=-id'))[0];
}

test('a server killed in the middle of jobs loses nothing that was acknowledged, and no command is done twice [FT1]', async () => {
  await using server = await startServerProcess({ script: 'server/main.ts' });
  const api = await signUp(server);
  const { company_id } = await api.call<{ company_id: number }>('GET', '/user');
  const { code } = await api.call<{ code: string }>('POST', '/devices/enrolment-codes', { company_id, uses: DEVICES, expires_in_hours: 1 });
  await using stack = new AsyncDisposableStack();
  const devices: SteadyDevice[] = [];
  for (let count = 0; count < DEVICES; count += 1) {
    const identity = newIdentity();
    devices.push(stack.use(new SteadyDevice(await join(server.url, code, identity), identity)));
  }
  await until('all online', async () => (await onlineCount(api)) === DEVICES);

  // Killed: as soon as the job was acknowledged · when some devices have done it · when nearly all have.
  const moments = [0, DEVICES / 4, DEVICES - 2];
  for (const [round, enough] of moments.entries()) {
    const doneBefore = devices.reduce((sum, device) => sum + device.applied.size, 0);
    await api.call('POST', '/devices/commands', { command: `echo ${round}`, timeout: 60, selection: { query: {}, count: DEVICES } });
    await until('the moment', () => devices.reduce((sum, device) => sum + device.applied.size, 0) - doneBefore >= enough);
    await server.kill();
    const acknowledged = devices.reduce((sum, device) => sum + device.acknowledged.size, 0);
    using database = new DatabaseSync(joinPath(server.dataDir, 'canopy.db'), { readOnly: true });
    const kept = database.prepare(`select count(*) as count from job_targets where state = 'ok'`).get();
    expect(Number(kept?.['count'])).toBeGreaterThanOrEqual(acknowledged);
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    await server.start();
    const job = await until('the end of the job', async () => {
      const found = await theJob(api);
      return found?.state === 'finished' && found;
    });
    expect(job.counts).toMatchObject({ ok: DEVICES, failed: 0, skipped: 0, 'timed-out': 0 });
  }
  for (const device of devices) {
    expect(device.applied.size).toBe(moments.length);
    expect(Math.max(...device.applied.values())).toBe(1);
  }
}, 120_000);
