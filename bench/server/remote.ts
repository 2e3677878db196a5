import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { ApiClient } from '../../scripts/api-client.ts';
import { freePort } from '../../tests/helpers/server-process.ts';
import { until } from '../../tests/helpers/until.ts';
import { mib, ms, type Benchmark } from '../report.ts';
import { median } from './measure.ts';
import { startServer, type Measured } from './processes.ts';

/** One person may have so many sessions at once. */
const SHELLS = 20;
/** In each of three shells: a simulated one takes lines of 200 characters. */
const KEYS = 180;
const PROMPT = '# ';

interface Shell {
  /** From the call for the session to the prompt. */
  promptMs: number;
  /** Sends a key and waits for its echo. */
  typeKey(key: string): Promise<number>;
  close(): Promise<void>;
}

async function openShell(server: Measured, api: ApiClient, entry: number): Promise<Shell> {
  const begun = performance.now();
  const { url } = await api.call<{ url: string }>('POST', `/devices/connect/${entry}`, { duration: 600 });
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${url}`, { headers: { cookie: api.cookie(), origin: server.url } });
  let text = '';
  let said = '';
  let look = (): void => undefined;
  socket.on('open', () => socket.send(JSON.stringify({ cols: 80, rows: 24 })));
  socket.on('message', (data, isBinary) => {
    if (isBinary) text += String(data);
    else said = String(data);
    look();
  });
  const shown = (wanted: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`the shell ended: ${said}`));
      socket.once('close', fail);
      look = () => {
        if (!text.includes(wanted)) return;
        socket.off('close', fail);
        resolve();
      };
      look();
    });
  await shown(PROMPT);
  return {
    promptMs: performance.now() - begun,
    async typeKey(key) {
      text = '';
      const pressed = performance.now();
      socket.send(Buffer.from(key));
      await shown(key);
      return performance.now() - pressed;
    },
    close: () =>
      new Promise((resolve) => {
        socket.once('close', () => resolve());
        socket.close();
      }),
  };
}

export const benchmark: Benchmark = {
  name: 'remote',
  title: 'Remote access to simulated devices through their tunnels',
  async run(report) {
    const dataDir = mkdtempSync(join(tmpdir(), 'canopy-bench-'));
    try {
      const ports = { TUNNEL_PORT: String(await freePort()), REMOTE_PORT: String(await freePort()), TUNNEL_PUBLIC_HOST: '127.0.0.1' };
      await using server = await startServer(dataDir, ports);
      const api = new ApiClient(server.url);
      const token = readFileSync(join(dataDir, 'set-up-token'), 'utf8').trim();
      const person = { company_name: 'Bench', email: 'a@example.org', first_name: 'A', last_name: 'B', password: 'a long enough phrase' };
      await api.call('POST', '/set-up', { token, ...person });
      const { company_id } = await api.call<{ company_id: number }>('GET', '/user');
      const codes = { company_id, uses: SHELLS, expires_in_hours: 1 };
      const { code } = await api.call<{ code: string }>('POST', '/devices/enrolment-codes', codes);
      await using stack = new AsyncDisposableStack();
      const fleet = await startFleet({ url: server.url, code, devices: SHELLS, moods: 'good', seed: 'remote' });
      stack.defer(() => fleet.stop());
      const devices = await until('all devices to be online', async () => {
        const found = await api.call<{ id: number }[]>('GET', `/devices?limit=${SHELLS}&status=online`);
        return found.length === SHELLS && found;
      });
      const entry = { name: 'Shell', destination_ip: '127.0.0.1', destination_port: 23, protocol: 'telnet' };
      const data = devices.map(({ id }) => ({ ...entry, device_id: id }));
      const { id: entries } = await api.call<{ id: number[] }>('POST', '/devices/remote-access', { data });

      const before = await server.reset();
      const shells: Shell[] = [];
      for (const id of entries) shells.push(await openShell(server, api, id));
      const on = `${shells.length} devices, server and fleet on the same cores`;
      report({
        what: 'from the call for a session to the prompt, with a sleeping tunnel',
        on,
        ours: `${ms(median(shells.map(({ promptMs }) => promptMs)))}, at most ${ms(Math.max(...shells.map(({ promptMs }) => promptMs)))}`,
        goal: '500 ms',
      });
      const after = await server.read();
      report({
        what: 'memory of the server for each open shell and its tunnel',
        on,
        ours: mib((after.rssMiB - before.rssMiB) / shells.length),
        goal: 'stated',
      });
      const times: number[] = [];
      for (const shell of shells.slice(0, 3))
        for (let count = 0; count < KEYS; count += 1) times.push(await shell.typeKey('abcdefghij'[count % 10] ?? 'a'));
      times.sort((left, right) => left - right);
      report({
        what: 'from a key to its echo in the browser’s socket, without painting',
        on: `${times.length} keys through a tunnel`,
        ours: `p50 ${ms(median(times))}, p95 ${ms(times[Math.floor(times.length * 0.95)] ?? 0)}`,
        goal: 'p50 4 ms, p95 12 ms with painting',
      });
      await Promise.all(shells.map((shell) => shell.close()));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};
