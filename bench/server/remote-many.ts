import { startFleet } from '../../agent/fleet/fleet.ts';
import { ApiClient } from '../../scripts/api-client.ts';
import { mib, percent, type Benchmark, type Line } from '../report.ts';
import { addEntries, BenchSession, devicesOnline, startRemoteWorld, type RemoteWorld } from './remote-world.ts';

const TUNNELS = 1000;
const SHELLS = 100;
/** One person may have so many sessions at once, and one device too. */
const MOST = 20;
const AT_ONCE = 8;
const LOOK_MS = 5000;

/** Calls `work` for each, some at once. */
async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = [...all];
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Another administrator, signed in. */
async function addPerson({ server, api, companyId }: RemoteWorld, number: number): Promise<ApiClient> {
  const login = { email: `p${number}@example.org`, password: 'a long enough phrase' };
  const roles = await api.call<{ id: number; name: string }[]>('GET', '/roles');
  const role_id = roles.find(({ name }) => name === 'admin')?.id;
  await api.call('POST', '/users', { ...login, company_id: companyId, first_name: 'P', last_name: String(number), role_id });
  const client = new ApiClient(server.url);
  await client.call('POST', '/account/login', login);
  return client;
}

async function measureShells(world: RemoteWorld, entries: readonly number[], report: (line: Line) => void): Promise<void> {
  const people: ApiClient[] = [];
  for (let number = 0; number < SHELLS / MOST; number += 1) people.push(await addPerson(world, number));
  // The first shell loads code.
  const [first = 0] = entries;
  await (await BenchSession.open(world, first)).close();
  const before = await world.server.reset();
  const shells: BenchSession[] = [];
  for (const [index, entry] of entries.slice(0, SHELLS).entries()) {
    const api = people[Math.floor(index / MOST)] ?? world.api;
    const shell = await BenchSession.open({ ...world, api }, entry);
    await shell.shown('# ');
    shells.push(shell);
  }
  const after = await world.server.read();
  report({
    what: 'memory of each open shell with its tunnel',
    on: `${shells.length} shells of ${people.length} people to as many devices`,
    ours: `${mib((after.rssMiB - before.rssMiB) / shells.length)}, ${mib(after.rssMiB - before.rssMiB)} in all`,
    goal: 'stated',
  });
  await Promise.all(shells.map((shell) => shell.close()));
}

async function measureTunnels(world: RemoteWorld, entries: readonly number[], report: (line: Line) => void): Promise<void> {
  const before = await world.server.reset();
  const begun = performance.now();
  await inParallel(entries, (entry) => world.api.call('POST', `/remote/entries/${entry}/check`));
  const seconds = (performance.now() - begun) / 1000;
  const opening = await world.server.reset();
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const idle = await world.server.read();
  report({
    what: 'tunnels that nobody uses, until they end after a minute',
    on: `${entries.length} simulated devices, opened ${AT_ONCE} at a time in ${Math.round(seconds)} s; server and fleet on the same cores`,
    ours: `${mib(before.rssMiB)} before, ${mib(opening.rssMiB)} with them, ${percent(idle.cpu)} of a core`,
    goal: 'stated',
  });
}

export const benchmark: Benchmark = {
  name: 'remote-many',
  title: 'Many shells and many tunnels at once',
  async run(report) {
    await using world = await startRemoteWorld();
    const fleet = await startFleet({ url: world.server.url, code: world.code, devices: TUNNELS + SHELLS, moods: 'good', seed: 'remote' });
    try {
      const devices = await devicesOnline(world, TUNNELS + SHELLS);
      const entries = await addEntries(world, devices, { name: 'Shell', destination_port: 23, protocol: 'telnet' });
      await measureShells(world, entries, report);
      await measureTunnels(world, entries.slice(SHELLS), report);
    } finally {
      await fleet.stop();
    }
  },
};
