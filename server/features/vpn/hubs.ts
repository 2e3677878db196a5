import { sql } from 'kysely';
import type { FormData, VpnHub } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, containsText, inOrderOf, integers, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { withFreeName } from '../../kernel/unless-taken.ts';
import { addressText, isFirst, maskText, readAddress, readMask, type Network } from './addresses.ts';
import { readReachable, record, requireHub, VPN_HUB_PURPOSE, type HubRow } from './store.ts';
import { hubAddress, hubConfiguration, makeKeys } from './wireguard.ts';

const columns: ListColumns = {
  id: sql.ref('vpn_hubs.id'),
  sorts: {
    id: { by: sql.ref('vpn_hubs.id') },
    name: { by: sql`lower_text(vpn_hubs.name)` },
    company_name: { by: sql.ref('companies.name') },
    created_at: { by: sql.ref('vpn_hubs.created_at') },
  },
  filters: {
    company_id: (values) => isWithin(sql.ref('vpn_hubs.company_id'), integers(values)),
    enabled: (values) => sql`vpn_hubs.enabled in (${sql.join([-1, ...integers(values).filter((value) => typeof value === 'number')])})`,
  },
  search: (text) => containsText([sql.ref('vpn_hubs.name'), sql.ref('vpn_hubs.description'), sql.ref('vpn_hubs.endpoint')], text),
};

async function findHubs(db: Db, actor: Actor, ids: readonly number[]): Promise<VpnHub[]> {
  const rows = await db
    .selectFrom('vpn_hubs')
    .innerJoin('companies', 'companies.id', 'vpn_hubs.company_id')
    .selectAll('vpn_hubs')
    .select([
      'companies.name as company_name',
      sql<number>`(select count(*) from vpn_clients where vpn_clients.vpn_hub_id = vpn_hubs.id)`.as('clients_count'),
    ])
    .where('vpn_hubs.id', 'in', [0, ...ids])
    .where(isVisible(actor, 'vpn_hubs'))
    .execute();
  return rows.map(({ network, prefix, sealed_key: _sealed, ...row }) => ({
    ...row,
    description: row.description || null,
    ip: addressText(network),
    netmask: maskText(prefix),
    hub_ip: addressText(hubAddress({ network, prefix })),
    clients_count: Number(row.clients_count),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  }));
}

/** One page of the hubs of companies that the actor sees. */
export async function listHubs(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: VpnHub[]; total: number }> {
  const base = db
    .selectFrom('vpn_hubs')
    .innerJoin('companies', 'companies.id', 'vpn_hubs.company_id')
    .where(isVisible(actor, 'vpn_hubs'))
    .select('vpn_hubs.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await findHubs(db, actor, ids)), total };
}

/** One hub. Throws NOT_FOUND. */
export async function getHub(ctx: Context, actor: Actor, id: number): Promise<VpnHub> {
  const [hub] = await findHubs(ctx.reads, actor, [id]);
  if (!hub) throw new NotFound({});
  return hub;
}

const fault = (source: string, message: string, key: string): InvalidFields =>
  new InvalidFields([{ source, message, params: { key: `forms.vpn.${key}` } }]);

/** A network as people write it. Throws INVALID_FIELD at `ip_address`/`ip` or `netmask`. */
export function readNetwork(source: string, ip: string, netmask: string): Network {
  const network = readAddress(ip);
  const prefix = readMask(netmask);
  if (network === undefined) throw fault(source, 'This is no IPv4 address.', 'no_address');
  if (prefix === undefined || prefix === 0) throw fault('netmask', 'This is no mask of a network.', 'no_mask');
  if (!isFirst({ network, prefix })) throw fault(source, 'The address is not the first one of such a network.', 'not_first');
  return { network, prefix };
}

const HUB_BITS = { largest: 16, smallest: 29 };
const HOST = /^(?:(?!-)[a-z\d-]{1,63}(?<!-)(?:\.(?!-)[a-z\d-]{1,63}(?<!-))*|[\da-f:.]*:[\da-f:.]*)$/i;

function hostOf(endpoint: string): string {
  if (!HOST.test(endpoint)) throw fault('endpoint', 'This is no host name or address.', 'no_host');
  return endpoint;
}

function hubNetwork(input: FormData['vpn/new-hub']): Network {
  const found = readNetwork('ip', input.ip, input.netmask);
  if (found.prefix < HUB_BITS.largest || found.prefix > HUB_BITS.smallest)
    throw fault('netmask', 'A hub has 8 to 65,536 addresses.', 'hub_size');
  return found;
}

/** Adds a hub with keys of its own. Throws NOT_FOUND at `company_id`, NAME_TAKEN, INVALID_FIELD. */
export function addHub(ctx: Context, caller: Caller, input: FormData['vpn/new-hub']): Promise<number> {
  const at = ctx.clock.now();
  const { privateKey, publicKey } = makeKeys();
  return withFreeName({ name: input.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, caller.actor, input.company_id ?? caller.actor.companyId, 'company_id');
      const hub = await trx
        .insertInto('vpn_hubs')
        .values({
          company_id: company.id,
          name: input.name,
          description: input.description ?? '',
          endpoint: hostOf(input.endpoint),
          port: input.port,
          ...hubNetwork(input),
          enabled: 1,
          public_key: publicKey,
          sealed_key: sealText(ctx.secretKey, VPN_HUB_PURPOSE, privateKey),
          created_at: at,
          updated_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await record(trx, caller, at, { action: 'vpn-hubs.new', hub, before: null, after: hub });
      return hub.id;
    }),
  );
}

async function change(
  ctx: Context,
  caller: Caller,
  id: number,
  action: string,
  values: Partial<Pick<HubRow, 'name' | 'description' | 'endpoint' | 'port' | 'enabled'>>,
) {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireHub(trx, caller.actor, id);
    const hub = await trx
      .updateTable('vpn_hubs')
      .set({ ...values, updated_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, caller, at, { action, hub, before, after: hub });
  });
}

/** Changes a hub. Throws NOT_FOUND, NAME_TAKEN, INVALID_FIELD. */
export async function editHub(ctx: Context, caller: Caller, id: number, input: FormData['vpn/edit-hub']): Promise<void> {
  const { name, description = '', endpoint, port } = input;
  await withFreeName({ name, source: 'name' }, () =>
    change(ctx, caller, id, 'vpn-hubs.edit', { name, description, endpoint: hostOf(endpoint), port }),
  );
}

/** Turns a hub on or off: its configuration lets nobody in while it is off. Throws NOT_FOUND. */
export async function toggleHub(ctx: Context, caller: Caller, id: number, isOn: boolean): Promise<void> {
  await change(ctx, caller, id, isOn ? 'vpn-hubs.enable' : 'vpn-hubs.disable', { enabled: isOn ? 1 : 0 });
}

/** Removes hubs with their clients, networks and rules, all or none of them. Throws NOT_FOUND. */
export async function removeHubs(ctx: Context, caller: Caller, ids: readonly number[]): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    for (const id of new Set(ids)) {
      const hub = await requireHub(trx, caller.actor, id);
      await trx.deleteFrom('vpn_hubs').where('id', '=', id).execute();
      await record(trx, caller, at, { action: 'vpn-hubs.remove', hub, before: hub, after: null });
    }
  });
}

/** The text for `wg-quick` on the machine that is the hub, its private key included. Throws NOT_FOUND. */
export async function takeConfiguration(ctx: Context, caller: Caller, id: number): Promise<string> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const hub = await requireHub(trx, caller.actor, id);
    const peers = await trx.selectFrom('vpn_clients').select(['id', 'public_key']).where('vpn_hub_id', '=', id).execute();
    await record(trx, caller, at, { action: 'vpn-hubs.configuration', hub, before: null, after: null });
    const privateKey = openSealed(ctx.secretKey, VPN_HUB_PURPOSE, hub.sealed_key);
    return hubConfiguration({ id, port: hub.port, privateKey, reachable: await readReachable(trx, hub), peers });
  });
}
