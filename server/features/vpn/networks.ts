import { sql } from 'kysely';
import type { FormData, VpnRoute, VpnRule } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { unlessTaken } from '../../kernel/unless-taken.ts';
import { addressText, maskText, overlaps, readAddress } from './addresses.ts';
import { readNetwork } from './hubs.ts';
import { findReach, type VpnReach } from './reach.ts';
import { readReachable, record, requireClient, requireHub } from './store.ts';
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
    from_name: { by: sql`lower_text(sender.name)` },
    to_name: { by: sql`lower_text(receiver.name)` },
  },
  filters: { vpn_hub_id: (values) => isOneOf(sql.ref('vpn_rules.vpn_hub_id'), integers(values)) },
  search: (text) => containsText([sql.ref('sender.name'), sql.ref('receiver.name')], text),
};

/** One page of the rules of hubs that the actor sees. */
export async function listRules(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: VpnRule[]; total: number }> {
  const base = db
    .selectFrom('vpn_rules')
    .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_rules.vpn_hub_id')
    .innerJoin('vpn_clients as sender', 'sender.id', 'vpn_rules.from_client_id')
    .innerJoin('vpn_clients as receiver', 'receiver.id', 'vpn_rules.to_client_id')
    .where(isVisible(actor, 'vpn_hubs'))
    .selectAll('vpn_rules')
    .select(['sender.name as from_name', 'receiver.name as to_name']);
  const { rows, total } = await applyListQuery(base, query, ruleColumns);
  return { rows: rows.map((row) => ({ ...row, created_at: wireTime(row.created_at) })), total };
}

const fault = (source: string, message: string, key: string, params: Record<string, string> = {}): InvalidFields =>
  new InvalidFields([{ source, message, params: { key: `forms.vpn.${key}`, ...params } }]);

/** Says that a network is behind a client. Throws NOT_FOUND, INVALID_FIELD, for one that overlaps with others of the hub too. */
export async function addRoute(ctx: Context, caller: Caller, input: FormData['vpn/new-route']): Promise<number> {
  const at = ctx.clock.now();
  const network = readNetwork('ip_address', input.ip_address, input.netmask);
  return unlessTaken(
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
        await record(trx, caller, at, { action: 'vpn-routes.new', hub, name: client.name, before: null, after: row });
        return row.id;
      }),
    () => fault('ip_address', 'The hub already has this network.', 'route_twice'),
  );
}

/** Lets a client reach another and the networks behind it. Throws NOT_FOUND, INVALID_FIELD. */
export async function addRule(ctx: Context, caller: Caller, input: FormData['vpn/new-rule']): Promise<number> {
  const at = ctx.clock.now();
  const { vpn_hub_id: hubId, from_client_id: fromId, to_client_id: toId } = input;
  return unlessTaken(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const hub = await requireHub(trx, caller.actor, hubId, 'vpn_hub_id');
        const from = await requireClient(trx, caller.actor, fromId, { source: 'from_client_id', hubId });
        await requireClient(trx, caller.actor, toId, { source: 'to_client_id', hubId });
        if (fromId === toId) throw fault('to_client_id', 'Choose two different clients.', 'same_client');
        const values = { vpn_hub_id: hub.id, from_client_id: fromId, to_client_id: toId, created_at: at };
        const row = await trx.insertInto('vpn_rules').values(values).returningAll().executeTakeFirstOrThrow();
        await record(trx, caller, at, { action: 'vpn-rules.new', hub, name: from.client.name, before: null, after: row });
        return row.id;
      }),
    () => fault('to_client_id', 'There is such a rule already.', 'rule_twice'),
  );
}

/** Removes a network or a rule. Throws NOT_FOUND. */
export async function removePart(ctx: Context, caller: Caller, table: 'vpn_routes' | 'vpn_rules', id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
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
    await record(trx, caller, ctx.clock.now(), { action, hub, before: row, after: null });
  });
}

/** Whether a client reaches an address (that of its hub without one), and what decides. Throws NOT_FOUND, INVALID_FIELD. */
export async function askReach(ctx: Context, actor: Actor, clientId: number, text: string | undefined): Promise<VpnReach> {
  const { hub } = await requireClient(ctx.reads, actor, clientId);
  const address = text === undefined ? hubAddress(hub) : readAddress(text);
  if (address === undefined) throw fault('ip_address', 'This is no IPv4 address.', 'no_address');
  return findReach(await readReachable(ctx.reads, hub), clientId, address);
}
