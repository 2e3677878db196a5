import { sql } from 'kysely';
import type { FormData, FoundService } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { RemoteProtocol } from '../../db/remote-tables.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { EndedTarget, JobKind } from '../../domain/jobs/types.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { canonicalAddress, isReachable, ITSELF } from '../../domain/remote/guard.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { addEntries } from './entries.ts';

/** Ports that are looked for, and what speaks there (console.md 9). */
const PORTS: Readonly<Record<number, RemoteProtocol>> = {
  22: 'ssh',
  23: 'telnet',
  80: 'http',
  443: 'https',
  3389: 'rdp',
  5900: 'vnc',
  8080: 'http',
  8443: 'https',
};
const SCAN_SECONDS = 120;
const MOST_FOUND = 256;

export interface ScanInput {
  ports?: number[];
}

const protocolOf = (port: number): RemoteProtocol => PORTS[port] ?? 'http';

/** What a device printed, `ADDRESS PORT MAC NAME` a line, with what is none left out. */
export function readFound(output: string): { host: string; port: number; mac: string; host_name: string }[] {
  const found = new Map<string, { host: string; port: number; mac: string; host_name: string }>();
  for (const line of output.split('\n').slice(0, MOST_FOUND)) {
    const [address = '', text = '', mac = '', name = ''] = line.trim().split(' ');
    const host = canonicalAddress(address);
    const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (host === undefined || !isReachable(host) || port < 1 || port > 65_535) continue;
    found.set(`${host} ${port}`, {
      host,
      port,
      mac: /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/i.test(mac) ? mac.toUpperCase() : '',
      host_name: /^[\w.-]{1,64}$/.test(name) && name !== '-' ? name : '',
    });
  }
  return [...found.values()];
}

async function keepFound(trx: Trx, { ctx, targets }: { ctx: Context; targets: readonly EndedTarget[] }): Promise<void> {
  const found_at = ctx.clock.now();
  for (const { device_id, state, output } of targets) {
    if (state !== 'ok') continue;
    await trx.deleteFrom('found_services').where('device_id', '=', device_id).execute();
    const rows = readFound(output ?? '').map((row) => ({ device_id, ...row, found_at }));
    if (rows.length > 0) await trx.insertInto('found_services').values(rows).execute();
  }
}

/** Devices look for services on themselves and on the hosts that they know. */
export const scanKind: JobKind<ScanInput> = {
  name: 'remote_scan',
  permission: 'update_device_remote_access',
  skipReason: () => undefined,
  runs: {
    on: 'device',
    steps: ({ ports }) => [
      { name: 'scan', verb: 'scan', timeoutSeconds: SCAN_SECONDS, body: `ports=${(ports ?? Object.keys(PORTS)).join(',')}\n` },
    ],
    ended: keepFound,
  },
};

const columns: ListColumns = {
  id: sql.ref('found_services.id'),
  sorts: {
    id: { by: sql.ref('found_services.id') },
    destination_ip: { by: sql.ref('found_services.host') },
    device_name: { by: sql.ref('devices.name_key') },
    found_at: { by: sql.ref('found_services.found_at') },
  },
  filters: { device_id: (values) => isOneOf(sql.ref('found_services.device_id'), integers(values)) },
  search: (text) => containsText([sql.ref('found_services.host'), sql.ref('found_services.host_name'), sql.ref('devices.name')], text),
};

const visibleFound = (db: Db, actor: Actor) =>
  db
    .selectFrom('found_services')
    .innerJoin('devices', 'devices.id', 'found_services.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .where(isVisible(actor, 'devices'));

async function findFound(db: Db, actor: Actor, ids: readonly number[]): Promise<FoundService[]> {
  const rows = await visibleFound(db, actor)
    .selectAll('found_services')
    .select(['devices.name as device_name', 'companies.name as company_name'])
    .select(
      sql<number>`case when exists (select 1 from remote_entries where remote_entries.device_id = found_services.device_id
        and remote_entries.host = found_services.host and remote_entries.port = found_services.port) then 1 else 0 end`.as('has_entry'),
    )
    .where('found_services.id', 'in', ids)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    device_id: row.device_id,
    device_name: row.device_name,
    company_name: row.company_name,
    destination_ip: row.host,
    destination_port: row.port,
    protocol: protocolOf(row.port),
    host_name: row.host_name || null,
    mac: row.mac || null,
    has_entry: Number(row.has_entry) === 1 ? 1 : 0,
    found_at: wireTime(row.found_at),
  }));
}

/** One page of what devices that the actor sees have found. */
export async function listFound(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: FoundService[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleFound(db, actor).select('found_services.id'), query, columns);
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await findFound(db, actor, ids)), total };
}

/** What was found, as the beginning of an entry. Throws NOT_FOUND. */
export async function getFound(db: Db, actor: Actor, id: number): Promise<FoundService & { name: string }> {
  const [found] = await findFound(db, actor, [id]);
  if (!found) throw new NotFound({});
  const who = found.host_name ?? (found.destination_ip === ITSELF ? found.device_name : found.destination_ip);
  return { ...found, name: `${who} ${found.protocol}`.slice(0, 50) };
}

/** Adds an entry for what was found. Throws NOT_FOUND, NAME_TAKEN, REMOTE_ADDRESS_REFUSED. */
export async function addFound(ctx: Context, caller: Caller, id: number, input: FormData['remote-access/add-found']): Promise<number[]> {
  const found = await getFound(ctx.db, caller.actor, id);
  return addEntries(ctx, caller, [{ ...input, device_id: found.device_id, is_main: input.destination_ip === ITSELF }], () => '');
}
