import { readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { ApiClient } from '../../scripts/api-client.ts';
import { MINUTE } from '../../server/kernel/clock.ts';
import { join, newIdentity } from '../helpers/mqtt-device.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';

const DEVICES = 5;
const AWAY = 4 * MINUTE;

async function signUp(server: ServerProcess): Promise<ApiClient> {
  const api = new ApiClient(server.url);
  const token = readFileSync(joinPath(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { company_name: 'Harbour', email: 'ada@example.org', first_name: 'Ada', last_name: 'Holm' };
  await api.call('POST', '/set-up', { token, ...person, password: 'a long enough phrase' });
  return api;
}

/** A device that comes back by itself and says hello each time. */
async function startSteadyDevice(server: ServerProcess, code: string): Promise<mqtt.MqttClient> {
  const identity = newIdentity();
  const { device_key: key, password } = await join(server.url, code, identity);
  const options = { username: key, password, clientId: key, keepalive: 1, reconnectPeriod: 500 };
  const client = mqtt.connect(`mqtt://127.0.0.1:${server.mqttPort}`, {
    ...options,
    will: { topic: `canopy/${key}/up/status`, payload: Buffer.from('{"online":false}'), qos: 1, retain: false },
  });
  client.on('error', () => undefined);
  client.on('connect', () => {
    client.publish(`canopy/${key}/up/hello`, JSON.stringify({ v: 1, ...identity, boot_id: 'b' }), { qos: 1 });
  });
  return client;
}

test('a server process that was suspended, or killed and replaced by another, takes none of its devices for offline [HN3]', async () => {
  await using server = await startServerProcess({ script: 'server/main.ts' });
  await using cleanUp = new AsyncDisposableStack();
  const api = await signUp(server);
  const [company] = await api.call<{ id: number }[]>('GET', '/companies');
  const { code } = await api.call<{ code: string }>('POST', '/devices/enrolment-codes', {
    company_id: company?.id,
    uses: DEVICES,
    expires_in_hours: 1,
  });
  for (let count = 0; count < DEVICES; count += 1) {
    const client = await startSteadyDevice(server, code);
    cleanUp.defer(() => client.endAsync(true));
  }
  const database = cleanUp.adopt(new DatabaseSync(joinPath(server.dataDir, 'canopy.db')), (open) => open.close());
  database.exec('pragma busy_timeout = 5000');
  const count = (query: string): number => Number(database.prepare(`select count(*) as n from ${query}`).get()?.['n']);
  await until('all are online', () => count('devices where status = 1') === DEVICES);
  await until('that they are heard was noted', () => count(`installation where key = 'hearing'`) === 1);
  const connections = (): number => count(`device_events where type in ('activated', 'connected')`);
  const before = connections();

  /** As if the server had been away for minutes, while it is. */
  const setBack = (): void => {
    const note = JSON.parse(String(database.prepare(`select value from installation where key = 'hearing'`).get()?.['value']));
    database
      .prepare(`update installation set value = ? where key = 'hearing'`)
      .run(JSON.stringify({ ...note, notedAt: note.notedAt - AWAY, since: note.since - AWAY }));
    database.prepare('update devices set silent_at = ?').run(Date.now() - MINUTE);
  };
  const lastConnection = (): number => Number(database.prepare('select min(last_connection_at) as at from devices').get()?.['at']);

  process.kill(server.pid(), 'SIGSTOP');
  setBack();
  const suspendedAt = Date.now();
  // Longer than the broker waits for a device that says nothing.
  await until('the sessions of the devices are over', () => Date.now() > suspendedAt + 3000);
  process.kill(server.pid(), 'SIGCONT');
  await until('the time is noted as deaf', () => count('deaf_periods') === 1);
  await until('all have come back', () => lastConnection() > suspendedAt);
  expect([count('devices where status = 1'), connections(), count(`device_events where type = 'disconnected'`)]).toEqual([
    DEVICES,
    before,
    0,
  ]);

  await server.kill();
  setBack();
  const killedAt = Date.now();
  await server.start();
  await until('the time is noted as deaf', () => count('deaf_periods') === 2);
  await until('all have come back', () => lastConnection() > killedAt);
  expect([count('devices where status = 1'), connections(), count(`device_events where type = 'disconnected'`)]).toEqual([
    DEVICES,
    before,
    0,
  ]);
});
