import { sql } from 'kysely';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Reachable } from './reach.ts';

export type HubRow = Row<'vpn_hubs'>;
export type ClientRow = Row<'vpn_clients'>;

export const VPN_HUB_PURPOSE = 'vpn hub key';

/** Whether a client's device is (still) of the hub's company or one below it; those that are no devices always are. */
export const isOfHub = sql<number>`case when vpn_clients.type <> 'device' then 1 when exists (select 1 from devices as own
  inner join companies as below on below.id = own.company_id inner join companies as top on top.id = vpn_hubs.company_id
  where own.id = vpn_clients.device_id and below.path >= top.path and below.path < substr(top.path, 1, length(top.path) - 1) || '0') then 1 else 0 end`;

/** Throws NOT_FOUND, at `source` when given. */
export async function requireHub(db: Db, actor: Actor, id: number, source?: string): Promise<HubRow> {
  const hub = await db
    .selectFrom('vpn_hubs')
    .selectAll()
    .where('vpn_hubs.id', '=', id)
    .where(isVisible(actor, 'vpn_hubs'))
    .executeTakeFirst();
  if (!hub) throw new NotFound({}, source === undefined ? {} : { source });
  return hub;
}

/** The client with its hub. Throws NOT_FOUND, at `source` when given; with `hubId`, also for one of another hub. */
export async function requireClient(
  db: Db,
  actor: Actor,
  id: number,
  { source, hubId }: { source?: string; hubId?: number } = {},
): Promise<{ client: ClientRow; hub: HubRow }> {
  const client = await db
    .selectFrom('vpn_clients')
    .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_clients.vpn_hub_id')
    .selectAll('vpn_clients')
    .where('vpn_clients.id', '=', id)
    .where(isVisible(actor, 'vpn_hubs'))
    .executeTakeFirst();
  if (!client || (hubId !== undefined && client.vpn_hub_id !== hubId)) throw new NotFound({}, source === undefined ? {} : { source });
  return { client, hub: await requireHub(db, actor, client.vpn_hub_id, source) };
}

/** Everything that decides who reaches whom in a hub that the actor was shown. */
export async function readReachable(db: Db, hub: HubRow): Promise<Reachable> {
  const clients = await db
    .selectFrom('vpn_clients')
    .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_clients.vpn_hub_id')
    .select(['vpn_clients.id', 'vpn_clients.address', 'vpn_clients.enabled', isOfHub.as('is_of_hub')])
    .where('vpn_hubs.id', '=', hub.id)
    .orderBy('vpn_clients.address')
    .execute();
  const routes = await db.selectFrom('vpn_routes').selectAll().where('vpn_hub_id', '=', hub.id).orderBy('network').execute();
  const rules = await db.selectFrom('vpn_rules').selectAll().where('vpn_hub_id', '=', hub.id).orderBy('id').execute();
  return {
    hub: { network: hub.network, prefix: hub.prefix, enabled: hub.enabled === 1 },
    clients: clients.map(({ id, address, enabled, is_of_hub }) => ({ id, address, isActive: enabled === 1 && Number(is_of_hub) === 1 })),
    routes,
    rules,
  };
}

type Kept = Readonly<Record<string, string | number | null>> | null;

function withoutKeys(row: Kept): Kept {
  if (!row) return null;
  const { sealed_key: _sealed, ...rest } = row;
  return rest;
}

/** One line of the history, about a hub or a part of one; sealed keys are left out. */
export async function record(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  line: { action: string; hub: HubRow; name?: string; before: Kept; after: Kept },
): Promise<void> {
  const { action, hub, name, before, after } = line;
  const entry = { action, entity: 'vpn_hub', entityId: hub.id, entityName: name ?? hub.name, companyId: hub.company_id };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: withoutKeys(before), after: withoutKeys(after) }]);
}
