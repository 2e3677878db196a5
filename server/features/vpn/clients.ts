import { sql, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { personOf, type Caller } from '../../kernel/actor.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { refuseDuplicate, withUniqueName } from '../../kernel/unique-conflicts.ts';
import { isInside, lastOf, readAddress } from './addresses.ts';
import { revokedList } from './pki.ts';
import { fault, isOfHub, pkiOf, record, requireClient, requireHub, requireTags, type ClientRow, type HubRow } from './store.ts';
import { hubAddress } from './wireguard.ts';

const MOST_CLIENTS = 500;

/** The lowest address of the hub that nobody has. Throws INVALID_FIELD when there is none. */
async function freeAddress(trx: Trx, hub: HubRow): Promise<number> {
  const rows = await trx.selectFrom('vpn_clients').select('address').where('vpn_hub_id', '=', hub.id).execute();
  if (rows.length >= MOST_CLIENTS) throw fault('', `A hub has at most ${MOST_CLIENTS} clients.`, 'hub_full');
  const taken = new Set(rows.map(({ address }) => Number(address)));
  for (let address = hubAddress(hub) + 1; address < lastOf(hub); address += 1) if (!taken.has(address)) return address;
  throw fault('', 'All addresses of the hub are taken.', 'hub_full');
}

type NewClient = { type: 'device' | 'custom' | 'user'; device_id?: number; user_id?: number; name: string };

/** Adds a client that reaches nothing. */
export async function insertClient(ctx: Context, trx: Trx, caller: Caller, hub: HubRow, given: NewClient): Promise<ClientRow> {
  const at = ctx.clock.now();
  const client = await trx
    .insertInto('vpn_clients')
    .values({
      type: given.type,
      name: given.name,
      device_id: given.device_id ?? null,
      user_id: given.user_id ?? null,
      vpn_hub_id: hub.id,
      address: await freeAddress(trx, hub),
      enabled: 1,
      public_key: null,
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(ctx, trx, caller, { action: 'vpn-clients.new', hub, name: client.name, before: null, after: client });
  return client;
}

/** Adds a client by a name of its own. It reaches nothing until a rule says so. Throws NOT_FOUND, NAME_TAKEN, INVALID_FIELD. */
export function addCustomClient(ctx: Context, caller: Caller, input: { vpn_hub_id: number; username: string }): Promise<number> {
  return withUniqueName({ name: input.username, source: 'username' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const hub = await requireHub(trx, caller.actor, input.vpn_hub_id, 'vpn_hub_id');
      return (await insertClient(ctx, trx, caller, hub, { type: 'custom', name: input.username })).id;
    }),
  );
}

/** The name of somebody whom the actor sees, or of the actor. Throws NOT_FOUND at `user_id`. */
export async function requirePerson(trx: Trx, { actor }: Caller, id: number): Promise<{ id: number; name: string }> {
  const isSelf = personOf(actor) === id;
  const person = await trx
    .selectFrom('users')
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.email'])
    .where('users.id', '=', id)
    .where(isSelf ? sql<SqlBool>`true` : isVisible(actor, 'users'))
    .executeTakeFirst();
  if (!person) throw new NotFound({}, { source: 'user_id' });
  return { id, name: `${person.first_name} ${person.last_name}`.trim() || person.email };
}

/** Adds somebody with an account. Throws NOT_FOUND, INVALID_FIELD at `user_id`. */
export function addUser(ctx: Context, caller: Caller, input: { vpn_hub_id: number; user_id: number }): Promise<number> {
  return refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const hub = await requireHub(trx, caller.actor, input.vpn_hub_id, 'vpn_hub_id');
        const person = await requirePerson(trx, caller, input.user_id);
        const { id } = await insertClient(ctx, trx, caller, hub, { type: 'user', user_id: person.id, name: person.name });
        const added = trx.selectFrom('vpn_clients').innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_clients.vpn_hub_id');
        const { is_of_hub } = await added.select(isOfHub.as('is_of_hub')).where('vpn_clients.id', '=', id).executeTakeFirstOrThrow();
        if (Number(is_of_hub) !== 1)
          throw fault('user_id', 'This user is neither of the company of the hub nor of one above or below it.', 'foreign_user');
        return id;
      }),
    () => fault('user_id', 'This user is a client of the hub already.', 'user_twice'),
  );
}

/** The device, of the company of the hub or below it. Throws NOT_FOUND, INVALID_FIELD at `device_id`. */
export async function requireHubDevice(trx: Trx, { actor }: Caller, hub: HubRow, id: number): Promise<{ id: number; name: string }> {
  const company = await trx.selectFrom('companies').select('path').where('companies.id', '=', hub.company_id).executeTakeFirstOrThrow();
  const device = await trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.id', 'devices.name', 'companies.path'])
    .where('devices.id', '=', id)
    .where(isVisible(actor, 'devices'))
    .executeTakeFirst();
  if (!device) throw new NotFound({}, { source: 'device_id' });
  if (!device.path.startsWith(company.path)) throw fault('device_id', 'A device is of another company than the hub.', 'foreign_device');
  return { id, name: device.name };
}

/** Adds devices of the hub's company and those below, all or none. Throws NOT_FOUND, INVALID_FIELD at `device_id`. */
export async function addDevices(ctx: Context, caller: Caller, hubId: number, ids: readonly number[]): Promise<number[]> {
  return refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const hub = await requireHub(trx, caller.actor, hubId);
        const added: number[] = [];
        for (const id of new Set(ids)) {
          const device = await requireHubDevice(trx, caller, hub, id);
          added.push((await insertClient(ctx, trx, caller, hub, { type: 'device', device_id: id, name: device.name })).id);
        }
        return added;
      }),
    () => fault('device_id', 'A device is a client of this hub already.', 'device_twice'),
  );
}

type Changeable = Partial<
  Pick<
    ClientRow,
    | 'address'
    | 'mode'
    | 'enabled'
    | 'public_key'
    | 'serial'
    | 'expires_at'
    | 'device_certificate'
    | 'forward_lan'
    | 'forward_wan'
    | 'sync_state'
    | 'synced_as'
  >
>;

/** Changes a client, with a line in the history. */
export async function changeClient(
  ctx: Context,
  trx: Trx,
  caller: Caller,
  { client, hub }: { client: ClientRow; hub: HubRow },
  action: string,
  values: Changeable,
): Promise<ClientRow> {
  const after = await trx
    .updateTable('vpn_clients')
    .set({ ...values, updated_at: ctx.clock.now() })
    .where('id', '=', client.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(ctx, trx, caller, { action, hub, name: client.name, before: client, after });
  return after;
}

/** Gives a client another address of its hub, a chosen or a free one. Throws NOT_FOUND, INVALID_FIELD. */
export async function setAddress(
  ctx: Context,
  caller: Caller,
  id: number,
  given: { mode?: 'static' | 'dhcp'; ip_address?: string },
): Promise<void> {
  const { mode = 'static', ip_address: ip = '' } = given;
  await refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const found = await requireClient(trx, caller.actor, id);
        const { client, hub } = found;
        if (mode === 'dhcp') {
          await changeClient(ctx, trx, caller, found, 'vpn-clients.address', { mode });
          return;
        }
        const address = readAddress(ip);
        if (address === undefined) throw fault('ip_address', 'This is no IPv4 address.', 'no_address');
        if (!isInside(address, hub) || address <= hubAddress(hub) || address === lastOf(hub))
          throw fault('ip_address', 'The hub has no such address for clients.', 'address_outside');
        // The old profile of WireGuard names the old address, so it is worth nothing any more.
        const key = address === client.address ? client.public_key : null;
        await changeClient(ctx, trx, caller, found, 'vpn-clients.address', { mode, address, public_key: key });
      }),
    () => fault('ip_address', 'Another client has this address.', 'address_taken'),
  );
}

/** Lets a client in, or not: one that is connected is out at once. Throws NOT_FOUND. */
export async function toggleClient(ctx: Context, caller: Caller, id: number, isOn: boolean): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const found = await requireClient(trx, caller.actor, id);
    await changeClient(ctx, trx, caller, found, `vpn-clients.${isOn ? 'enable' : 'disable'}`, { enabled: isOn ? 1 : 0 });
  });
}

/** Puts a client into groups, and out of all others. Throws NOT_FOUND. */
export async function setGroups(ctx: Context, caller: Caller, id: number, tags: readonly number[]): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { client, hub } = await requireClient(trx, caller.actor, id);
    await requireTags(trx, caller.actor, tags, 'tag_id');
    const before = await trx.selectFrom('vpn_client_tags').select('tag_id').where('vpn_client_id', '=', id).execute();
    await trx.deleteFrom('vpn_client_tags').where('vpn_client_id', '=', id).execute();
    const rows = [...new Set(tags)].map((tag_id) => ({ vpn_client_id: id, tag_id }));
    if (rows.length > 0) await trx.insertInto('vpn_client_tags').values(rows).execute();
    const listed = (ids: readonly number[]) => ({ tag_id: ids.toSorted((a, b) => a - b).join(',') });
    await record(ctx, trx, caller, {
      action: 'vpn-clients.groups',
      hub,
      name: client.name,
      before: listed(before.map(({ tag_id }) => tag_id)),
      after: listed(tags),
    });
  });
}

export async function getGroups(ctx: Context, { actor }: Pick<Caller, 'actor'>, id: number): Promise<{ tag_id: number[] }> {
  await requireClient(ctx.reads, actor, id);
  const rows = await ctx.reads.selectFrom('vpn_client_tags').select('tag_id').where('vpn_client_id', '=', id).execute();
  return { tag_id: rows.map(({ tag_id }) => tag_id) };
}

/** Takes the certificate of a client out of force, in the hub's list. */
export async function revoke(ctx: Context, trx: Trx, hub: HubRow, client: Pick<ClientRow, 'serial' | 'expires_at'>): Promise<void> {
  if (client.serial === null || hub.vpn_type === 'wireguard') return;
  const at = ctx.clock.now();
  await trx
    .insertInto('vpn_revoked')
    .values({ vpn_hub_id: hub.id, serial: client.serial, expires_at: client.expires_at ?? at, revoked_at: at })
    .execute();
  await renewRevokedList(ctx, trx, hub);
}

/** Makes the list of revoked certificates again; those that have expired since are left out. */
export async function renewRevokedList(ctx: Context, trx: Trx, hub: HubRow): Promise<void> {
  const at = ctx.clock.now();
  await trx.deleteFrom('vpn_revoked').where('vpn_hub_id', '=', hub.id).where('expires_at', '<', at).execute();
  const rows = await trx.selectFrom('vpn_revoked').selectAll().where('vpn_hub_id', '=', hub.id).orderBy('id').execute();
  const list = await revokedList(
    pkiOf(ctx, hub),
    rows.map(({ serial, revoked_at }) => ({ serial, at: revoked_at })),
    at,
  );
  await trx.updateTable('vpn_hubs').set({ revoked_list: list, revoked_list_at: at }).where('id', '=', hub.id).execute();
}

/** Removes a client with its networks and rules; its certificate is revoked. Throws NOT_FOUND. */
export async function removeClient(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { client, hub } = await requireClient(trx, caller.actor, id);
    await revoke(ctx, trx, hub, client);
    await trx.deleteFrom('vpn_clients').where('id', '=', id).execute();
    await record(ctx, trx, caller, { action: 'vpn-clients.remove', hub, name: client.name, before: client, after: null });
  });
}

/** Removes the clients that these devices are of a hub. Throws NOT_FOUND at `device_id`. */
export async function removeDevices(ctx: Context, caller: Caller, hubId: number, ids: readonly number[]): Promise<void> {
  const hub = await requireHub(ctx.db, caller.actor, hubId);
  const clients = await ctx.db
    .selectFrom('vpn_clients')
    .select('id')
    .where('vpn_hub_id', '=', hub.id)
    .where('device_id', 'in', [...new Set(ids)])
    .execute();
  if (clients.length < new Set(ids).size) throw new NotFound({}, { source: 'device_id' });
  for (const { id } of clients) await removeClient(ctx, caller, id);
}

/** Whether the device of a client lets the hub's clients into its LAN, or out by its WAN. Throws NOT_FOUND. */
export async function setForwarding(
  ctx: Context,
  caller: Caller,
  at: { hubId: number; deviceId: number },
  rule: { network: 'wan' | 'lan'; status: boolean },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const hub = await requireHub(trx, caller.actor, at.hubId);
    const client = await trx
      .selectFrom('vpn_clients')
      .selectAll()
      .where('vpn_hub_id', '=', hub.id)
      .where('device_id', '=', at.deviceId)
      .executeTakeFirst();
    if (!client) throw new NotFound({});
    const value = rule.status ? (1 as const) : (0 as const);
    const values = rule.network === 'lan' ? { forward_lan: value } : { forward_wan: value };
    await changeClient(ctx, trx, caller, { client, hub }, 'vpn-clients.forwarding', values);
  });
}
