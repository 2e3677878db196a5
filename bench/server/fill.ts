import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deviceSearchText } from '../../server/domain/devices/search-text.ts';
import type { Db, NewRow } from '../../server/db/schema.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';

const MODELS = ['RUTX50', 'RUTX11', 'RUT956', 'RUT241', 'RUT360', 'TRB140', 'TRB500', 'TCR100', 'OTD140', 'TAP100'];
const FIRMWARES = ['00.07.14.2', '00.07.13.4', '00.07.10.1', '00.07.06.3', '00.07.02.7'];
const OPERATORS = ['Telenor', 'Telia', 'Ice', 'Orange', 'Vodafone', 'Kyivstar'];
const PLACES = ['quay', 'mast', 'pump', 'depot', 'kiosk', 'ferry', 'substation', 'tram'];
const ROWS_PER_INSERT = 200;

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface FleetSize {
  companies: number;
  devices: number;
}

/** Where things are in a filled database. */
export interface Filled {
  top: number;
  /** A company of the second level with a tenth of all below it. */
  tenth: number;
  tag: number;
}

async function fillCompanies(db: Db, count: number, at: number): Promise<number[][]> {
  const branches: number[][] = [];
  const add = async (
    name: string,
    parent: { id: number; path: string; level: number } | undefined,
  ): Promise<{ id: number; path: string; level: number }> => {
    const level = (parent?.level ?? 0) + 1;
    const { id } = await db
      .insertInto('companies')
      .values({ name, level, parent_id: parent?.id ?? null, path: `?${name}`, created_at: at, updated_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const path = `${parent?.path ?? '/'}${id}/`;
    await db.updateTable('companies').set({ path }).where('id', '=', id).execute();
    return { id, path, level };
  };
  const top = await add('Nordic Fleet', undefined);
  branches.push([top.id]);
  for (let branch = 0; branch < 10; branch += 1) {
    const second = await add(`Region ${branch}`, top);
    const ids = [second.id];
    const share = Math.floor((count - 1) / 10) - 1;
    for (let child = 0; child < share; child += 1) ids.push((await add(`Region ${branch} site ${child}`, second)).id);
    branches.push(ids);
  }
  return branches;
}

function pick<T>(list: readonly [T, ...T[]] | readonly T[], random: () => number): T {
  const value = list[Math.floor(random() * list.length)];
  if (value === undefined) throw new Error('An empty list');
  return value;
}

function makeDevice(index: number, companyId: number, random: () => number, at: number): NewRow<'devices'> {
  const mac = `00:1E:42:${[index >> 16, index >> 8, index].map((part) => (part & 255).toString(16).padStart(2, '0').toUpperCase()).join(':')}`;
  const model = pick(MODELS, random);
  const status = random() < 0.7 ? 1 : random() < 0.9 ? 0 : null;
  const device = {
    name: `${pick(PLACES, random)}-${Math.floor(random() * 100_000)}`,
    serial: String(1_100_000_000 + index),
    mac,
    imei: `35${String(index).padStart(13, '0')}`,
  };
  const seen = status === null ? null : at - Math.floor(random() * 3_600_000);
  return {
    ...device,
    company_id: companyId,
    device_key: `bench${String(index).padStart(15, 'a')}`,
    credential_hash: createHash('sha256').update(mac).digest('hex'),
    description: `s/n ${device.serial}`,
    model,
    firmware: `${model.slice(0, 4)}_R_${pick(FIRMWARES, random)}`,
    agent: 'canopy-agent/1',
    os: 'RutOS',
    hostname: device.name,
    is_simulated: 1,
    status,
    quarantine: null,
    report_seconds: 60,
    router_uptime: Math.floor(random() * 5_000_000),
    load1: Math.round(random() * 200) / 100,
    mem_total_kb: 250_000,
    mem_available_kb: Math.floor(random() * 200_000),
    signal: -50 - Math.floor(random() * 65),
    connection_type: pick(['5G', 'LTE', 'LTE', '3G'], random),
    operator: pick(OPERATORS, random),
    network_state: random() < 0.95 ? 'Home' : 'Roaming',
    sim_slot: 1,
    wan_state: pick(['Mobile', 'Wired', 'WiFi'], random),
    wan_ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    lan_ip: '192.168.1.1',
    sent: Math.floor(random() * 1e9),
    received: Math.floor(random() * 1e9),
    temperature: 250 + Math.floor(random() * 300),
    activated_at: seen,
    last_connection_at: seen,
    last_update_at: seen,
    status_changed_at: seen,
    search_text: deviceSearchText(device),
    created_at: at - Math.floor(random() * 1e10),
    updated_at: at,
  };
}

/** Fills a migrated, empty database: one company at the top, ten below it with an equal share of the rest, the devices spread evenly, one tag. */
export async function fillFleet(db: Db, size: FleetSize, at: number): Promise<Filled> {
  const random = sequence(7);
  return inTransaction(db, async (trx) => {
    const branches = await fillCompanies(trx, size.companies, at);
    const companyIds = branches.flat();
    for (let start = 0; start < size.devices; start += ROWS_PER_INSERT) {
      const rows = Array.from({ length: Math.min(ROWS_PER_INSERT, size.devices - start) }, (_, offset) =>
        makeDevice(start + offset, companyIds[(start + offset) % companyIds.length] ?? 0, random, at),
      );
      await trx.insertInto('devices').values(rows).execute();
      // Others get their turn: a server in the same process would look overloaded.
      await nextTurn();
    }
    const [top = 0] = branches[0] ?? [];
    const [tenth = 0] = branches[1] ?? [];
    const tag = await trx
      .insertInto('tags')
      .values({ company_id: top, name: 'bench', description: '', color: '#0958d9', created_at: at, updated_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { top, tenth, tag: tag.id };
  });
}
