import { sql } from 'kysely';
import type { VpnClient } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { unlessTaken, withFreeName } from '../../kernel/unless-taken.ts';
import { addressText, isInside, lastOf, readAddress } from './addresses.ts';
import { isOfHub, readReachable, record, requireClient, requireHub, type HubRow } from './store.ts';
import { clientProfile, hubAddress, makeKeys } from './wireguard.ts';

const columns: ListColumns = {
  id: sql.ref('vpn_clients.id'),
  sorts: {
    id: { by: sql.ref('vpn_clients.id') },
    name: { by: sql`lower_text(vpn_clients.name)` },
    ip: { by: sql.ref('vpn_clients.address') },
  },
  filters: { vpn_hub_id: (values) => isOneOf(sql.ref('vpn_clients.vpn_hub_id'), integers(values)) },
  search: (text) => containsText([sql.ref('vpn_clients.name')], text),
};

const visibleClients = (db: Db, actor: Actor) =>
  db.selectFrom('vpn_clients').innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_clients.vpn_hub_id').where(isVisible(actor, 'vpn_hubs'));

function stateOf(isEnabled: boolean, isOurs: boolean, hasProfile: boolean): VpnClient['state'] {
  if (!isOurs) return 'moved_away';
  if (!isEnabled) return 'disabled';
  return hasProfile ? 'ready' : 'no_profile';
}

/** One page of the clients of hubs that the actor sees. */
export async function listClients(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: VpnClient[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleClients(db, actor).select('vpn_clients.id'), query, columns);
  const ids = rows.map(({ id }) => id);
  const found = await visibleClients(db, actor)
    .selectAll('vpn_clients')
    .select(['vpn_hubs.name as vpn_hub_name', 'vpn_hubs.company_id', isOfHub.as('is_of_hub')])
    .where('vpn_clients.id', 'in', [0, ...ids])
    .execute();
  const clients = found.map((row): VpnClient => ({
    id: row.id,
    vpn_hub_id: row.vpn_hub_id,
    vpn_hub_name: row.vpn_hub_name,
    company_id: row.company_id,
    name: row.name,
    type: row.type,
    object_id: row.device_id,
    ip: addressText(row.address),
    enabled: row.enabled,
    state: stateOf(row.enabled === 1, Number(row.is_of_hub) === 1, row.public_key !== null),
    created_at: wireTime(row.created_at),
  }));
  return { rows: inOrderOf(ids, clients), total };
}

const fault = (source: string, message: string, key: string): InvalidFields =>
  new InvalidFields([{ source, message, params: { key: `forms.vpn.${key}` } }]);

/** The lowest address of the hub that nobody has. Throws INVALID_FIELD when there is none. */
async function freeAddress(trx: Trx, hub: HubRow): Promise<number> {
  const rows = await trx.selectFrom('vpn_clients').select('address').where('vpn_hub_id', '=', hub.id).execute();
  const taken = new Set(rows.map(({ address }) => Number(address)));
  for (let address = hubAddress(hub) + 1; address < lastOf(hub); address += 1) if (!taken.has(address)) return address;
  throw fault('', 'All addresses of the hub are taken.', 'hub_full');
}

async function insert(
  trx: Trx,
  caller: Caller,
  hub: HubRow,
  given: { type: 'device' | 'custom'; device_id: number | null; name: string },
  at: number,
) {
  const client = await trx
    .insertInto('vpn_clients')
    .values({
      ...given,
      vpn_hub_id: hub.id,
      address: await freeAddress(trx, hub),
      enabled: 1,
      public_key: null,
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(trx, caller, at, { action: 'vpn-clients.new', hub, name: client.name, before: null, after: client });
  return client.id;
}

/** Adds a client by a name of its own. It reaches nothing until a rule says so. Throws NOT_FOUND, NAME_TAKEN, INVALID_FIELD. */
export function addCustomClient(ctx: Context, caller: Caller, input: { vpn_hub_id: number; username: string }): Promise<number> {
  return withFreeName({ name: input.username, source: 'username' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const hub = await requireHub(trx, caller.actor, input.vpn_hub_id, 'vpn_hub_id');
      return insert(trx, caller, hub, { type: 'custom', device_id: null, name: input.username }, ctx.clock.now());
    }),
  );
}

/** Adds devices of the hub's company and those below, all or none. Throws NOT_FOUND, INVALID_FIELD at `device_id`. */
export async function addDevices(ctx: Context, caller: Caller, hubId: number, ids: readonly number[]): Promise<number[]> {
  const twice = (): InvalidFields => fault('device_id', 'A device is a client of this hub already.', 'device_twice');
  return unlessTaken(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const hub = await requireHub(trx, caller.actor, hubId);
        const company = await trx
          .selectFrom('companies')
          .select('path')
          .where('companies.id', '=', hub.company_id)
          .executeTakeFirstOrThrow();
        const added: number[] = [];
        for (const id of new Set(ids)) {
          const device = await trx
            .selectFrom('devices')
            .innerJoin('companies', 'companies.id', 'devices.company_id')
            .select(['devices.id', 'devices.name', 'companies.path'])
            .where('devices.id', '=', id)
            .where(isVisible(caller.actor, 'devices'))
            .executeTakeFirst();
          if (!device) throw new NotFound({}, { source: 'device_id' });
          if (!device.path.startsWith(company.path))
            throw fault('device_id', 'A device is of another company than the hub.', 'foreign_device');
          added.push(await insert(trx, caller, hub, { type: 'device', device_id: device.id, name: device.name }, ctx.clock.now()));
        }
        return added;
      }),
    twice,
  );
}

/** Gives a client another address of its hub. Throws NOT_FOUND, INVALID_FIELD. */
export async function setAddress(ctx: Context, caller: Caller, id: number, ip: string): Promise<void> {
  const at = ctx.clock.now();
  const taken = (): InvalidFields => fault('ip_address', 'Another client has this address.', 'address_taken');
  await unlessTaken(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const { client, hub } = await requireClient(trx, caller.actor, id);
        const address = readAddress(ip);
        if (address === undefined) throw fault('ip_address', 'This is no IPv4 address.', 'no_address');
        if (!isInside(address, hub) || address <= hubAddress(hub) || address === lastOf(hub))
          throw fault('ip_address', 'The hub has no such address for clients.', 'address_outside');
        // The old profile names the old address, so it is worth nothing any more.
        const values = { address, public_key: address === client.address ? client.public_key : null, updated_at: at };
        const after = await trx.updateTable('vpn_clients').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
        await record(trx, caller, at, { action: 'vpn-clients.address', hub, name: client.name, before: client, after });
      }),
    taken,
  );
}

/** Lets a client in, or not. Throws NOT_FOUND. */
export async function toggleClient(ctx: Context, caller: Caller, id: number, isOn: boolean): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { client, hub } = await requireClient(trx, caller.actor, id);
    const after = await trx
      .updateTable('vpn_clients')
      .set({ enabled: isOn ? 1 : 0, updated_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, caller, at, { action: `vpn-clients.${isOn ? 'enable' : 'disable'}`, hub, name: client.name, before: client, after });
  });
}

/** Removes a client with its networks and rules. Throws NOT_FOUND. */
export async function removeClient(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { client, hub } = await requireClient(trx, caller.actor, id);
    await trx.deleteFrom('vpn_clients').where('id', '=', id).execute();
    await record(trx, caller, ctx.clock.now(), { action: 'vpn-clients.remove', hub, name: client.name, before: client, after: null });
  });
}

/** Makes new keys for a client and answers its profile; the private key is kept nowhere, and the profile before stops to work. Throws NOT_FOUND. */
export async function makeProfile(ctx: Context, caller: Caller, id: number): Promise<string> {
  const at = ctx.clock.now();
  const { privateKey, publicKey } = makeKeys();
  return inTransaction(ctx.db, async (trx) => {
    const { client, hub } = await requireClient(trx, caller.actor, id);
    const after = await trx
      .updateTable('vpn_clients')
      .set({ public_key: publicKey, updated_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, caller, at, { action: 'vpn-clients.profile', hub, name: client.name, before: client, after });
    const { routes, rules } = await readReachable(trx, hub);
    const reached = new Set(rules.filter((rule) => rule.from_client_id === id).map((rule) => rule.to_client_id));
    const networks = routes.filter((route) => reached.has(route.vpn_client_id));
    return clientProfile({ hub, address: client.address, privateKey, networks });
  });
}
