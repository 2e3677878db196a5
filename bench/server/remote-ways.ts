import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UPLOAD_CHUNK_BYTES, UPLOAD_WINDOW_BYTES } from '../../schemas/kit/devices/remote-wire.ts';
import { enterPage } from '../../tests/helpers/device-page.ts';
import { startSshd, type SshServer } from '../../tests/helpers/remote-counterparts.ts';
import { mib, ms, type Benchmark, type Line } from '../report.ts';
import { median } from './measure.ts';
import { addEntries, BenchSession, startAgent, startRemoteWorld, type RemoteWorld } from './remote-world.ts';

const KEYS = 300;
const SHOWN_BYTES = 50 * 1024 * 1024;
const FILE_BYTES = 200 * 1024 * 1024;
const PAGES = 50;

interface Way {
  key50: number;
  key95: number;
  showMs: number;
  showMiB: number;
  upMs: number;
  upMiB: number;
  /** Processor time of the server, in milliseconds. */
  upCpuMs: number;
  downMs: number;
  downMiB: number;
  downCpuMs: number;
  pageMs: number;
}

const rate = (bytes: number, time: number): string => `${Math.round(bytes / 1e6 / (time / 1000))} MB/s`;

async function measureShell(world: RemoteWorld, entry: number, sshd: SshServer) {
  const answer = (kind: string) => (kind === 'host-key' ? { trust: true } : { username: sshd.username, private_key: sshd.privateKey });
  const shell = await BenchSession.open(world, entry, { answer });
  await shell.opened();
  // A shell without a line editor: the echo is its terminal's. What is typed of its prompt is not the prompt.
  // What is typed before the first prompt may be lost.
  await shell.shown(sshd.username === 'root' ? '# ' : '$ ');
  shell.type("exec env PS1='re''ady> ' sh -i\r");
  await shell.shown('ready> ');
  const times: number[] = [];
  for (let index = 0; index < KEYS; index += 1) times.push(await shell.typeKey('abcdefghij'[index % 10] ?? 'a'));
  times.sort((left, right) => left - right);
  const path = join(sshd.folder, 'shown');
  writeFileSync(path, `${'0123456789'.repeat(12)}\n`.repeat(Math.ceil(SHOWN_BYTES / 121)));
  const before = await world.server.reset();
  const showMs = await shell.run(`\u0015cat ${path}\r`, SHOWN_BYTES);
  const after = await world.server.read();
  await shell.close();
  return { key50: times[KEYS / 2] ?? 0, key95: times[KEYS * 0.95] ?? 0, showMs, showMiB: after.peakRssMiB - before.rssMiB };
}

async function measureFiles(world: RemoteWorld, entry: number, sshd: SshServer) {
  const answer = (kind: string) => (kind === 'host-key' ? { trust: true } : { username: sshd.username, private_key: sshd.privateKey });
  const files = await BenchSession.open(world, entry, { answer });
  await files.opened();
  const path = join(sshd.folder, 'sent');
  const before = await world.server.reset();
  const upMs = await files.upload(path, randomBytes(FILE_BYTES), { chunk: UPLOAD_CHUNK_BYTES, window: UPLOAD_WINDOW_BYTES });
  const between = await world.server.read();
  const rest = await world.server.reset();
  const begun = performance.now();
  const url = `${world.server.url}/api/devices/connect/sessions/${files.id}/file?path=${encodeURIComponent(path)}`;
  const response = await fetch(url, { headers: { cookie: world.api.cookie() } });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  if (bytes !== FILE_BYTES) throw new Error(`${bytes} bytes came down`);
  const downMs = performance.now() - begun;
  const after = await world.server.read();
  await files.close();
  rmSync(path);
  return {
    upMs,
    upMiB: between.peakRssMiB - before.rssMiB,
    upCpuMs: between.cpu * upMs,
    downMs,
    downMiB: after.peakRssMiB - rest.rssMiB,
    downCpuMs: after.cpu * downMs,
  };
}

async function timePages(get: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < PAGES; index += 1) {
    const begun = performance.now();
    await get();
    times.push(performance.now() - begun);
  }
  return median(times);
}

async function measureWay(env: Record<string, string>): Promise<Way & { bareMs: number }> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await startRemoteWorld(env));
  // What a person's own profile does is not measured.
  const sshd = stack.use(await startSshd({ more: [`SetEnv HOME=${world.folder}`] }));
  const page = createServer((_request, response) => response.end('x'.repeat(50_000))).listen(0, '127.0.0.1');
  await once(page, 'listening');
  stack.defer(() => void page.close().closeAllConnections());
  const address = page.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const device = await startAgent(world, stack);
  const entryOf = async (name: string, protocol: string, to: number): Promise<number> =>
    (await addEntries(world, [device], { name, protocol, destination_port: to }))[0] ?? 0;
  const shell = await measureShell(world, await entryOf('Shell', 'ssh', sshd.port), sshd);
  const files = await measureFiles(world, await entryOf('Files', 'sftp', sshd.port), sshd);
  const entry = await entryOf('Page', 'http', port);
  const { url } = await world.api.call<{ url: string }>('POST', `/devices/connect/${entry}`, { duration: 600 });
  const browser = await enterPage(url);
  const pageMs = await timePages(() => browser.send('/'));
  const bareMs = await timePages(async () => (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text());
  return { ...shell, ...files, pageMs, bareMs };
}

export const benchmark: Benchmark = {
  name: 'remote-ways',
  title: 'Shells, files and pages of a real agent through its tunnel, and of the same services without one',
  async run(report) {
    const tunnel = await measureWay({});
    const direct = await measureWay({ REMOTE_DIRECT: 'loopback' });
    const on = 'OpenSSH on both ends of the tunnel, server, agent and services on the same cores';
    const line = (what: string, read: (way: Way) => string, goal: string): Line => ({
      what,
      on,
      ours: `${read(tunnel)} through the tunnel, ${read(direct)} without`,
      goal,
    });
    report(
      line(
        'a key to its echo in the browser’s socket',
        ({ key50, key95 }) => `p50 ${ms(key50)}, p95 ${ms(key95)}`,
        'p50 4 ms, p95 12 ms with painting',
      ),
    );
    report(line('50 MB shown in a shell', ({ showMs, showMiB }) => `${ms(showMs)} and + ${mib(showMiB)}`, 'flat memory'));
    report(
      line(
        '200 MB sent by SFTP',
        ({ upMs, upMiB, upCpuMs }) => `${rate(FILE_BYTES, upMs)}, + ${mib(upMiB)} and ${ms(upCpuMs)} of a core`,
        '150 MB/s, + 40 MB',
      ),
    );
    report(
      line(
        '200 MB fetched by SFTP',
        ({ downMs, downMiB, downCpuMs }) => `${rate(FILE_BYTES, downMs)}, + ${mib(downMiB)} and ${ms(downCpuMs)} of a core`,
        '150 MB/s, + 40 MB',
      ),
    );
    report({ ...line('a page of 50 kB', ({ pageMs }) => ms(pageMs), 'stated'), bare: `${ms(direct.bareMs)} from the service itself` });
  },
};
