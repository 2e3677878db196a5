import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startFleet } from '../../agent/fleet/fleet.ts';
import type { RemoteSession } from '../../schemas/_generated/contract.ts';
import { ApiClient } from '../../scripts/api-client.ts';
import { freePort } from '../helpers/free-port.ts';
import { startServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';

const PASSWORD = 'a long enough phrase';

test('a server killed in the middle of a session ends it, says so afterwards, and opens the next one', { timeout: 90_000 }, async () => {
  const ports = { TUNNEL_PORT: String(await freePort()), REMOTE_PORT: '0' };
  await using server = await startServerProcess({ env: { ...ports, TUNNEL_PUBLIC_HOST: '127.0.0.1' } });
  const api = new ApiClient(server.url);
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { company_name: 'Harbour', email: 'ada@example.org', first_name: 'Ada', last_name: 'Holm', password: PASSWORD };
  await api.call('POST', '/set-up', { token, ...person });
  const { company_id } = await api.call<{ company_id: number }>('GET', '/user');
  const { code } = await api.call<{ code: string }>('POST', '/devices/enrolment-codes', { company_id, uses: 1, expires_in_hours: 1 });
  const fleet = await startFleet({ url: server.url, code, devices: 1, moods: 'good', seed: 'restart' });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => fleet.stop());

  const device = await until('the device is online', async () =>
    (await api.call<{ id: number; status: number }[]>('GET', '/devices')).find(({ status }) => status === 1),
  );
  const entry = { device_id: device.id, name: 'Shell', destination_ip: '127.0.0.1', destination_port: 23, protocol: 'telnet' };
  const { id: entries } = await api.call<{ id: number[] }>('POST', '/devices/remote-access', { data: [entry] });

  /** A shell that answers; `closed` gives the code of its end. */
  async function openShell(): Promise<{ id: number; closed: Promise<number>; socket: WebSocket }> {
    const opened = await api.call<{ id: number; url: string }>('POST', `/devices/connect/${entries[0]}`, { duration: 600 });
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${opened.url}`, {
      headers: { cookie: api.cookie(), origin: server.url },
    });
    let text = '';
    socket.on('message', (data) => {
      text += String(data);
    });
    socket.on('error', () => undefined);
    const closed = new Promise<number>((resolve) => {
      socket.on('close', resolve);
    });
    socket.on('open', () => socket.send(JSON.stringify({ cols: 80, rows: 24 })));
    await until('a prompt', () => text.includes('"type":"open"') && text.includes('# '));
    return { id: opened.id, closed, socket };
  }

  const first = await openShell();
  await server.kill();
  expect(await first.closed).toBe(1006);
  await until('the device has lost its line', () => fleet.counts().online === 0);
  await server.start();
  const logged = await until('the end in the history', async () =>
    (await api.call<RemoteSession[]>('GET', '/devices/connect/logs')).find((one) => one.id === first.id && one.active === 0),
  );
  expect(logged.end_reason).toBe('server-lost');
  await until('the device is back', () => fleet.counts().online === 1);
  const second = await openShell();
  second.socket.close();
  await second.closed;
});
