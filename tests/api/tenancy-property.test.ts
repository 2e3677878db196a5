import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { BuiltInRole } from '../../schemas/kit/form/types.ts';
import type { RouteInfo } from '../../server/kernel/route.ts';
import { SECOND } from '../../server/kernel/clock.ts';
import { as, type Answer, type Caller } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { acceptAnywhere, joinAsNamesake } from '../helpers/joining.ts';
import { newIdentity } from '../helpers/mqtt-device.ts';
import { anyPath, makeRecords, pathWithId, UNKNOWN_ID } from '../helpers/route-samples.ts';
import { roundsOf } from '../helpers/test-database.ts';
import { makeWorld, type World } from '../helpers/world.ts';

interface Company {
  id: number;
  parent_id: number | null;
  path: string;
}
const FIRST_ID = 10_000_000;
type Records = Record<string, number>;

const STEPS = ['move company', 'move device', 'remove company', 'rename company', 'join', 'join again', 'accept'] as const;

/**
 * What happens before somebody reads: a company or a device goes elsewhere, a company is removed or renamed, a device joins with the serial number of
 * another one (or with its MAC too: again), one that waits is let in. Numbers choose, as far as there is a choice.
 */
interface Step {
  kind: (typeof STEPS)[number];
  what: number;
  where: number;
}
interface Plan {
  /** For each company after the first two: the index of its parent among those before. */
  parents: number[];
  steps: Step[];
  viewer: { at: number; role: BuiltInRole };
}

const plans: fc.Arbitrary<Plan> = fc.record({
  parents: fc.array(fc.nat(20), { minLength: 3, maxLength: 6 }),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom(...STEPS),
      what: fc.nat(20),
      where: fc.nat(20),
    }),
    { minLength: 2, maxLength: 8 },
  ),
  viewer: fc.record({ at: fc.nat(20), role: fc.constantFrom('super_admin', 'admin', 'end_user', 'readonly_admin', 'read_only') }),
});

function at<T>(list: readonly T[], index: number): T {
  const value = list[index % list.length];
  if (value === undefined) throw new Error('An empty list');
  return value;
}

/** From here on every id of every table is a number that no other record has, with more digits than any count or time of day in an answer. */
async function spreadIds({ ctx: { db, database } }: World): Promise<void> {
  const tables =
    database.tools.kind === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where sql like '%autoincrement%'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.columns where column_name = 'id' and table_schema = 'public' and (is_identity = 'YES' or column_default like 'nextval%')`;
  const { rows } = await tables.execute(db);
  for (const [index, { name }] of rows.entries()) {
    const start = FIRST_ID + index * 100_000;
    if (database.tools.kind === 'postgres') await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${start})`.execute(db);
    else {
      await sql`delete from sqlite_sequence where name = ${name}`.execute(db);
      await sql`insert into sqlite_sequence (name, seq) values (${name}, ${start})`.execute(db);
    }
  }
}

async function plant(world: World, parents: number[]): Promise<Company[]> {
  const companies = [await makeCompany(world), await makeCompany(world)];
  for (const index of parents) {
    const candidates = companies.filter((company) => company.level < 3);
    companies.push(await makeCompany(world, { parent: at(candidates, index) }));
  }
  return companies;
}

/** Every text that belongs to a company is marked with its id, so that a leak shows wherever it is. */
const mark = (company: { id: number }): string => `zz${company.id - FIRST_ID}zz`;

/** The present state: companies with those that were removed, and the company of each device; of a removed one the company that it was in. */
async function readPlaces({ ctx: { db } }: World) {
  const companies: Company[] = await db.selectFrom('companies').select(['id', 'parent_id', 'path']).orderBy('id').execute();
  const rows = await db
    .selectFrom('devices')
    .leftJoin('removed_devices', 'removed_devices.device_id', 'devices.id')
    .select(['devices.id', 'devices.company_id', 'serial', 'mac', 'quarantine', 'removed_devices.company_id as removed_from'])
    .orderBy('devices.id')
    .execute();
  const devices = rows.map((row) => ({ ...row, company_id: row.removed_from ?? row.company_id }));
  return { companies, devices };
}

/** Where each joined device began: its name has the mark of that company. */
type Joined = Map<number, number>;

async function take(world: World, root: Caller, { kind, what, where }: Step, joined: Joined): Promise<void> {
  const { companies, devices } = await readPlaces(world);
  const present = companies.filter((company) => company.path.startsWith('/') && company.id !== root.user.company_id);
  const [one, other] = [at(present, what), at(present, where)];
  const waiting = devices.filter(({ quarantine }) => quarantine !== null);
  if (kind === 'join' || kind === 'join again') {
    const mac = kind === 'join' ? newIdentity().mac : undefined;
    joined.set(await joinAsNamesake(world, one, { label: at(devices, where), mac, marker: mark(one) }), one.id);
  } else if (kind === 'accept') await acceptAnywhere(world, at(waiting.length > 0 ? waiting : devices, what).id);
  else if (kind === 'rename company') await root.put(`/companies/${one.id}`, { name: `Renamed ${what}` });
  // What is not possible is refused: that is a step too.
  else if (kind === 'move company') await root.post('/companies/move', { source: one.id, target: other.id });
  else if (kind === 'remove company') {
    // Somebody has to be left to read.
    if (present.some(({ path }) => !path.startsWith(one.path))) await root.delete(`/companies/${one.id}`);
  } else {
    const device = at(devices, what);
    await root.post('/devices/move', { device_id: [device.id], company_id: other.id });
    await world.ctx.jobs.settled();
  }
}

/**
 * What is kept of a company's past, jobs with their task logs, looks at passwords and sessions too, names devices, their entries of remote access
 * and companies that were in it then.
 */
const PAST = [
  '/api/history',
  '/api/jobs',
  '/api/statistics',
  '/api/devices/tasks/groups/logs',
  '/api/devices/tasks/logs',
  '/api/devices/passwords/looks',
  '/api/devices/connect/logs',
];

const nameOf = (info: RouteInfo): string => `${info.method} ${info.path}`;

/** The answer to a call, which a machine that is busy with other tests may put off first. */
async function read(caller: Caller, path: string, query = {}): Promise<Answer> {
  for (;;) {
    const answer = await caller.get(path, query);
    if (answer.status !== 503) return answer;
    await setImmediate();
  }
}

/** Everything that a caller can ask for: each reading route of the server, with ids of inside and outside and with searches for what is outside. */
async function* readEverything(
  world: World,
  caller: Caller,
  { inside, outside }: { inside: Records; outside: readonly Records[] },
): AsyncGenerator<{ name: string; answer: Answer }> {
  for (const info of world.app.routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/api'))) {
    const ask = async (path: string, query = {}) => ({
      name: `${nameOf(info)} ${JSON.stringify(query)}`,
      answer: await read(caller, path.slice('/api'.length), query),
    });
    if (info.path.includes('/:id')) for (const records of [inside, ...outside]) yield await ask(pathWithId(info, records) ?? '');
    else if (info.path.includes('/:')) yield await ask(anyPath(info));
    else {
      yield await ask(info.path);
      yield await ask(info.path, { limit: 100 });
      for (const { companies: companyId = UNKNOWN_ID } of outside.slice(0, 1)) {
        yield await ask(info.path, { q: mark({ id: companyId }) });
        yield await ask(info.path, { company_id: companyId });
        yield await ask(info.path, { id: companyId });
        yield await ask(info.path, { parent_id: companyId });
      }
    }
  }
}

test(
  'whatever is moved and removed before, no answer holds an id or a text of a company outside the viewer’s subtree [AC9]',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(plans, async ({ parents, steps, viewer }) => {
        await using world = await makeWorld();
        await spreadIds(world);
        const root = await as(world, 'super_admin');
        const planted = await plant(world, parents);
        const records = new Map<number, Records>();
        for (const company of planted) records.set(company.id, await makeRecords(world, company, mark(company)));
        const formerly = new Map<number, number[]>();
        const formerPaths = new Map<number, string[]>();
        const joined: Joined = new Map();
        for (const step of [undefined, ...steps]) {
          if (step) await take(world, root, step, joined);
          const places = await readPlaces(world);
          for (const { id, company_id } of places.devices) formerly.set(id, [...(formerly.get(id) ?? []), company_id]);
          for (const { id, path } of places.companies) formerPaths.set(id, [...(formerPaths.get(id) ?? []), path]);
        }
        const { companies, devices } = await readPlaces(world);
        const candidates = companies.filter((company) => company.path.startsWith('/') && records.has(company.id));
        const own = at(candidates, viewer.at);
        const isOwnOnly = viewer.role === 'end_user' || viewer.role === 'read_only';
        const isSeen = ({ id, path }: Pick<Company, 'id' | 'path'>): boolean =>
          viewer.role === 'super_admin' ? path.startsWith('/') : isOwnOnly ? id === own.id : path.startsWith(own.path);
        const seen = new Set(companies.filter(isSeen).map((company) => company.id));
        const hidden = companies.filter((company) => !seen.has(company.id) && records.has(company.id));
        const placeOf = new Map(devices.map((device) => [device.id, device.company_id]));
        // A removed company is reported to those above, by its name and number; a device that left is theirs no more.
        const isTold = ({ parent_id }: Company): boolean =>
          parent_id === null ? viewer.role === 'super_admin' : !isOwnOnly && seen.has(parent_id);
        const secrets = new Set<number>();
        const deviceOfEntry = new Map<number, number>();
        for (const company of companies) {
          const {
            companies: id = 0,
            themes: _theme,
            'devices/companies': _readings,
            devices: device = 0,
            'devices/notes': note = 0,
            'devices/passwords': password = 0,
            'devices/remote-access': entry = 0,
            'devices/connect': _sameEntry,
            'remote/entries': _entry,
            'remote/links': link = 0,
            'remote/shared': _link,
            'remote/found': found = 0,
            'hotspots/networks': hotspot = 0,
            ...others
          } = records.get(company.id) ?? {};
          deviceOfEntry.set(entry, device);
          // Notes, passwords, entries of remote access and hotspots go with their device.
          if (!seen.has(placeOf.get(device) ?? 0)) for (const moved of [note, password, entry, link, found, hotspot]) secrets.add(moved);
          if (seen.has(company.id)) continue;
          if (!isTold(company)) secrets.add(id);
          for (const other of Object.values(others)) secrets.add(other);
        }
        // A device that was let in as the one that it was before is gone, with the number that it waited under.
        for (const [device, past] of formerly) {
          const places = [placeOf.get(device) ?? past].flat();
          if (!places.some((place) => seen.has(place))) secrets.add(device);
        }
        secrets.delete(UNKNOWN_ID);
        secrets.delete(0);

        const wasSeen = (device: number): boolean => formerly.get(device)?.some((place) => seen.has(place)) === true;
        const wasEntrySeen = (entry: number): boolean => wasSeen(deviceOfEntry.get(entry) ?? 0);
        const wasCompanySeen = (id: number): boolean => formerPaths.get(id)?.some((path) => isSeen({ id, path })) === true;
        // A device takes its name along.
        const devicesOf = ({ id }: Company): number[] => [
          records.get(id)?.['devices'] ?? 0,
          ...[...joined].flatMap(([device, start]) => (start === id ? [device] : [])),
        ];
        const marked = hidden.filter((company) => !devicesOf(company).some(wasSeen));

        const caller = await as(world, viewer.role, { company: own });
        const outside = hidden.map((company) => records.get(company.id) ?? {});
        const inside = records.get(own.id) ?? {};
        for await (const { name, answer } of readEverything(world, caller, { inside, outside: outside.slice(0, 2) })) {
          expect(answer.status, name).toBeLessThan(500);
          const ids = new Set((answer.text.match(/\d{8,}/g) ?? []).map(Number));
          const isPast = PAST.some((start) => name.includes(start));
          const leaked = [...ids].filter((id) => secrets.has(id) && !(isPast && (wasSeen(id) || wasEntrySeen(id) || wasCompanySeen(id))));
          expect([name, leaked]).toEqual([name, []]);
          const texts = marked.filter((company) => answer.text.toLowerCase().includes(mark(company)));
          expect([name, texts.map((company) => company.id)]).toEqual([name, []]);
        }
        const visibleDevices = devices.filter((device) => device.removed_from === null && seen.has(device.company_id)).length;
        const shown = await read(caller, '/devices');
        expect([shown.errors, shown.meta['total']]).toEqual([[], visibleDevices]);
        expect((await read(caller, '/companies')).meta['total']).toBe(seen.size);
        const { data: statistics } = await read(caller, '/devices/statistics');
        expect(Object.values<number>(statistics.company).reduce((sum, count) => sum + count, 0)).toBe(visibleDevices);
        const csv = await read(caller, '/devices/export/csv', { fields: 'id' });
        expect(csv.text.trimEnd().split('\r\n')).toHaveLength(visibleDevices + 1);
        // Devices whose place another one took are given some seconds to say goodbye.
        await world.clock.advance(10 * SECOND);
      }),
      { numRuns: roundsOf(8), endOnFailure: true },
    );
  },
);
