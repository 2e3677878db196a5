import { sql } from 'kysely';
import type { FormData, VpnRoute, VpnRule } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { refuseDuplicate } from '../../kernel/unique-conflicts.ts';
import { addressText, maskText, overlaps, readAddress } from './addresses.ts';
import { readNetwork } from './hubs.ts';
import { findReach, listReached, type VpnReach } from './reach.ts';
import { fault, readReachable, record, requireClient, requireHub, requireTags } from './store.ts';
import { hubAddress } from './wireguard.ts';

const routeColumns: ListColumns = {
  id: sql.ref('vpn_routes.id'),
  sorts: { id: { by: sql.ref('vpn_routes.id') }, ip: { by: sql.ref('vpn_routes.network') } },
  filters: { vpn_hub_id: (values) => isOneOf(sql.ref('vpn_routes.vpn_hub_id'), integers(values)) },
  search: (text) => containsText([sql.ref('vpn_routes.name')], text),
};

/** One page of the networks behind clients of hubs that the actor sees. */
export async function listRoutes(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: VpnRoute[]; total: number }> {
  const base = db
    .selectFrom('vpn_routes')
    .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_routes.vpn_hub_id')
    .innerJoin('vpn_clients', 'vpn_clients.id', 'vpn_routes.vpn_client_id')
    .where(isVisible(actor, 'vpn_hubs'))
    .selectAll('vpn_routes')
    .select('vpn_clients.name as client_name');
  const { rows, total } = await applyListQuery(base, query, routeColumns);
  return {
    rows: rows.map(({ vpn_client_id, network, prefix, ...row }) => ({
      ...row,
      vpn_hub_user_id: vpn_client_id,
      ip: addressText(network),
      netmask: maskText(prefix),
      created_at: wireTime(row.created_at),
    })),
    total,
  };
}

const ruleColumns: ListColumns = {
  id: sql.ref('vpn_rules.id'),
  sorts: {
    id: { by: sql.ref('vpn_rules.id') },
    from_name: byText(sql`coalesce(sender.name, from_tag.name)`),
    to_name: byText(sql`coalesce(receiver.name, to_tag.name)`),
  },
  filters: { vpn_hub_id: (values) => isOneOf(sql.ref('vpn_rules.vpn_hub_id'), integers(values)) },
  search: (text) => containsText([sql`coalesce(sender.name, from_tag.name)`, sql`coalesce(receiver.name, to_tag.name)`], text),
};

/** One page of the rules of hubs that the actor sees. */
export async function listRules(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: VpnRule[]; total: number }> {
  const base = db
    .selectFrom('vpn_rules')
    .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_rules.vpn_hub_id')
    .leftJoin('vpn_clients as sender', 'sender.id', 'vpn_rules.from_client_id')
    .leftJoin('vpn_clients as receiver', 'receiver.id', 'vpn_rules.to_client_id')
    .leftJoin('tags as from_tag', 'from_tag.id', 'vpn_rules.from_tag_id')
    .leftJoin('tags as to_tag', 'to_tag.id', 'vpn_rules.to_tag_id')
    .where(isVisible(actor, 'vpn_hubs'))
    .selectAll('vpn_rules')
    .select([
      sql<string>`coalesce(sender.name, from_tag.name, '')`.as('from_name'),
      sql<string>`coalesce(receiver.name, to_tag.name, '')`.as('to_name'),
    ]);
  const { rows, total } = await applyListQuery(base, query, ruleColumns);
  const kindOf = (tag: number | null): 'client' | 'tag' => (tag === null ? 'client' : 'tag');
  return {
    rows: rows.map((row) => ({
      ...row,
      from_kind: kindOf(row.from_tag_id),
      to_kind: kindOf(row.to_tag_id),
      created_at: wireTime(row.created_at),
    })),
    total,
  };
}

/** Says that a network is behind a client. Throws NOT_FOUND, INVALID_FIELD, for one that overlaps with others of the hub too. */
export async function addRoute(ctx: Context, caller: Caller, input: FormData['vpn/new-route']): Promise<number> {
  const at = ctx.clock.now();
  const network = readNetwork('ip_address', input.ip_address, input.netmask);
  return refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const hub = await requireHub(trx, caller.actor, input.vpn_hub_id, 'vpn_hub_id');
        const place = { source: 'vpn_hub_user_id', hubId: hub.id };
        const { client } = await requireClient(trx, caller.actor, input.vpn_hub_user_id, place);
        if (overlaps(network, hub)) throw fault('ip_address', 'This overlaps with the network of the hub.', 'overlaps_hub');
        const others = await trx
          .selectFrom('vpn_routes')
          .innerJoin('vpn_clients', 'vpn_clients.id', 'vpn_routes.vpn_client_id')
          .select(['vpn_routes.network', 'vpn_routes.prefix', 'vpn_clients.name'])
          .where('vpn_routes.vpn_hub_id', '=', hub.id)
          .execute();
        const other = others.find((one) => overlaps(network, one));
        if (other)
          throw fault('ip_address', `This overlaps with a network behind "${other.name}".`, 'overlaps_route', { client: other.name });
        const row = await trx
          .insertInto('vpn_routes')
          .values({ vpn_hub_id: hub.id, vpn_client_id: client.id, name: input.name ?? '', ...network, created_at: at })
          .returningAll()
          .executeTakeFirstOrThrow();
        // The device would keep the door of its LAN shut otherwise.
        if (client.type === 'device') await trx.updateTable('vpn_clients').set({ forward_lan: 1 }).where('id', '=', client.id).execute();
        await record(ctx, trx, caller, { action: 'vpn-routes.new', hub, name: client.name, before: null, after: row });
        return row.id;
      }),
    () => fault('ip_address', 'The hub already has this network.', 'route_twice'),
  );
}

type RuleInput = FormData['vpn/new-rule'];

/** An end of a rule: a client of the hub or a tag, never both. Throws NOT_FOUND, INVALID_FIELD at the end's field. */
async function requireEnd(trx: Trx, caller: Caller, hubId: number, end: 'from' | 'to', input: RuleInput) {
  const [client, tag] = [input[`${end}_client_id`], input[`${end}_tag_id`]];
  const source = `${end}_client_id`;
  if ((client === undefined) === (tag === undefined)) throw fault(source, 'Choose a client or a group.', 'one_end');
  if (tag !== undefined) await requireTags(trx, caller.actor, [tag], `${end}_tag_id`);
  const found = client === undefined ? undefined : (await requireClient(trx, caller.actor, client, { source, hubId })).client;
  return { client: client ?? null, tag: tag ?? null, name: found?.name };
}

/** Lets a client, or a group, reach another and the networks behind it. Throws NOT_FOUND, INVALID_FIELD. */
export async function addRule(ctx: Context, caller: Caller, input: RuleInput): Promise<number> {
  return refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const hub = await requireHub(trx, caller.actor, input.vpn_hub_id, 'vpn_hub_id');
        const from = await requireEnd(trx, caller, hub.id, 'from', input);
        const to = await requireEnd(trx, caller, hub.id, 'to', input);
        if (from.client !== null && from.client === to.client) throw fault('to_client_id', 'Choose two different clients.', 'same_client');
        const row = await trx
          .insertInto('vpn_rules')
          .values({
            vpn_hub_id: hub.id,
            from_client_id: from.client,
            from_tag_id: from.tag,
            to_client_id: to.client,
            to_tag_id: to.tag,
            created_at: ctx.clock.now(),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await record(ctx, trx, caller, {
          action: 'vpn-rules.new',
          hub,
          ...(from.name === undefined ? {} : { name: from.name }),
          before: null,
          after: row,
        });
        return row.id;
      }),
    () => fault('to_client_id', 'There is such a rule already.', 'rule_twice'),
  );
}

/** Removes a network or a rule; answers of which hub. Throws NOT_FOUND. */
export async function removePart(ctx: Context, caller: Caller, table: 'vpn_routes' | 'vpn_rules', id: number): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    const row =
      table === 'vpn_routes'
        ? await trx
            .selectFrom('vpn_routes')
            .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_routes.vpn_hub_id')
            .selectAll('vpn_routes')
            .where('vpn_routes.id', '=', id)
            .where(isVisible(caller.actor, 'vpn_hubs'))
            .executeTakeFirst()
        : await trx
            .selectFrom('vpn_rules')
            .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_rules.vpn_hub_id')
            .selectAll('vpn_rules')
            .where('vpn_rules.id', '=', id)
            .where(isVisible(caller.actor, 'vpn_hubs'))
            .executeTakeFirst();
    if (!row) throw new NotFound({});
    const hub = await requireHub(trx, caller.actor, row.vpn_hub_id);
    await trx.deleteFrom(table).where('id', '=', id).execute();
    const action = table === 'vpn_routes' ? 'vpn-routes.remove' : 'vpn-rules.remove';
    await record(ctx, trx, caller, { action, hub, before: row, after: null });
    return hub.id;
  });
}

/** Whether a client reaches an address (that of its hub without one), and what decides, with the names of both. Throws NOT_FOUND, INVALID_FIELD. */
export async function askReach(
  ctx: Context,
  actor: Actor,
  clientId: number,
  text: string | undefined,
): Promise<VpnReach & { from_name: string; to_client_name: string | null }> {
  const { hub, client } = await requireClient(ctx.reads, actor, clientId);
  const address = text === undefined ? hubAddress(hub) : readAddress(text);
  if (address === undefined) throw fault('ip_address', 'This is no IPv4 address.', 'no_address');
  const reach = findReach(await readReachable(ctx.reads, hub), clientId, address);
  const to = await ctx.reads.selectFrom('vpn_clients').select('name').where('id', '=', reach.to_client_id).executeTakeFirst();
  return { ...reach, from_name: client.name, to_client_name: to?.name ?? null };
}

/** Who reaches whom in a hub, for a picture: each pair of clients between which a rule lets something pass. Throws NOT_FOUND. */
export async function readReach(ctx: Context, actor: Actor, hubId: number): Promise<{ from: number; to: number[] }[]> {
  const hub = await requireHub(ctx.reads, actor, hubId);
  return [...listReached(await readReachable(ctx.reads, hub))].map(([from, to]) => ({ from: from.id, to: to.map(({ id }) => id) }));
}

type DhcpOption = FormData['vpn/new-dhcp'];

/** The DHCP options that a hub gives its clients. Throws NOT_FOUND. */
export async function listDhcp(ctx: Context, actor: Actor, hubId: number): Promise<(DhcpOption & { id: number })[]> {
  await requireHub(ctx.reads, actor, hubId);
  const rows = await ctx.reads.selectFrom('vpn_dhcp_options').selectAll().where('vpn_hub_id', '=', hubId).orderBy('id').execute();
  return rows.map(({ id, type, address }) => ({ id, type, ip_address: addressText(Number(address)) }));
}

const MOST_OPTIONS = 8;

/** Adds a DHCP option to a hub. Throws NOT_FOUND, INVALID_FIELD. */
export async function addDhcp(ctx: Context, caller: Caller, hubId: number, input: DhcpOption): Promise<void> {
  const address = readAddress(input.ip_address);
  if (address === undefined) throw fault('ip_address', 'This is no IPv4 address.', 'no_address');
  await refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const hub = await requireHub(trx, caller.actor, hubId);
        const others = await trx.selectFrom('vpn_dhcp_options').select('id').where('vpn_hub_id', '=', hubId).execute();
        if (others.length >= MOST_OPTIONS) throw fault('', `A hub has at most ${MOST_OPTIONS} options.`, 'too_many_options');
        const values = { vpn_hub_id: hubId, type: input.type, address, created_at: ctx.clock.now() };
        await trx.insertInto('vpn_dhcp_options').values(values).execute();
        await record(ctx, trx, caller, { action: 'vpn-hubs.dhcp', hub, before: null, after: { ...input } });
      }),
    () => fault('ip_address', 'The hub has this option already.', 'option_twice'),
  );
}

/** Removes a DHCP option of a hub. Throws NOT_FOUND. */
export async function removeDhcp(ctx: Context, caller: Caller, hubId: number, input: DhcpOption): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const hub = await requireHub(trx, caller.actor, hubId);
    const { numDeletedRows } = await trx
      .deleteFrom('vpn_dhcp_options')
      .where('vpn_hub_id', '=', hubId)
      .where('type', '=', input.type)
      .where('address', '=', readAddress(input.ip_address) ?? -1)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new NotFound({});
    await record(ctx, trx, caller, { action: 'vpn-hubs.dhcp', hub, before: { ...input }, after: null });
  });
}
