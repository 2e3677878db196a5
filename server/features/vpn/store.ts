import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { openSealed } from '../../kernel/seal.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { HubPki } from './pki.ts';
import type { Reachable } from './reach.ts';

export type HubRow = Row<'vpn_hubs'>;
export type ClientRow = Row<'vpn_clients'>;

export const VPN_HUB_PURPOSE = 'vpn hub key';
export const VPN_PKI_PURPOSE = 'vpn hub certificates';

/** The certificates of an OpenVPN hub. */
export function pkiOf(ctx: Pick<Context, 'secretKey'>, hub: HubRow): HubPki {
  if (hub.sealed_pki === null) throw new Error(`hub ${hub.id} has no certificates`);
  return JSON.parse(openSealed(ctx.secretKey, VPN_PKI_PURPOSE, hub.sealed_pki)) as HubPki;
}

/** A wrong entry, with a text of this room. */
export function fault(source: string, message: string, key: string, params: Record<string, string> = {}): InvalidFields {
  return new InvalidFields([{ source, message, params: { key: `forms.vpn.${key}`, ...params } }]);
}

/**
 * Whether a client's device is (still) of the hub's company or one below it, or its user (still) of that company, one above or one below it; those that
 * are neither always are.
 */
export const isOfHub = sql<number>`case vpn_clients.type when 'device' then (case when exists (select 1 from devices as own
  inner join companies as below on below.id = own.company_id inner join companies as top on top.id = vpn_hubs.company_id
  where own.id = vpn_clients.device_id and below.path >= top.path and below.path < substr(top.path, 1, length(top.path) - 1) || '0') then 1 else 0 end)
  when 'user' then (case when exists (select 1 from users as person inner join memberships as place on place.user_id = person.id
  inner join companies as held on held.id = place.company_id inner join companies as top on top.id = vpn_hubs.company_id
  where person.id = vpn_clients.user_id and place.disabled_at is null and held.path >= '/'
  and (substr(top.path, 1, length(held.path)) = held.path or substr(held.path, 1, length(top.path)) = top.path)) then 1 else 0 end) else 1 end`;

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

/** The tag, of the company of a hub or one above it. Throws NOT_FOUND at `source`. */
export async function requireTags(db: Db, actor: Actor, ids: readonly number[], source: string): Promise<void> {
  if (ids.length === 0) return;
  const found = await db.selectFrom('tags').select('tags.id').where('tags.id', 'in', ids).where(isVisible(actor, 'tags')).execute();
  if (found.length < new Set(ids).size) throw new NotFound({}, { source });
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
  const own = db
    .selectFrom('vpn_client_tags')
    .innerJoin('vpn_clients', 'vpn_clients.id', 'vpn_client_tags.vpn_client_id')
    .select(['vpn_clients.id', 'vpn_client_tags.tag_id'])
    .where('vpn_clients.vpn_hub_id', '=', hub.id);
  const tags = await db
    .selectFrom('vpn_clients')
    .innerJoin('device_tags', 'device_tags.device_id', 'vpn_clients.device_id')
    .select(['vpn_clients.id', 'device_tags.tag_id'])
    .where('vpn_clients.vpn_hub_id', '=', hub.id)
    .union(own)
    .execute();
  const tagsOf = Map.groupBy(tags, ({ id }) => id);
  const routes = await db.selectFrom('vpn_routes').selectAll().where('vpn_hub_id', '=', hub.id).orderBy('network').execute();
  const rules = await db.selectFrom('vpn_rules').selectAll().where('vpn_hub_id', '=', hub.id).orderBy('id').execute();
  return {
    hub: { network: hub.network, prefix: hub.prefix, enabled: hub.enabled === 1 },
    clients: clients.map(({ id, address, enabled, is_of_hub }) => ({
      id,
      address,
      isActive: enabled === 1 && Number(is_of_hub) === 1,
      tags: (tagsOf.get(id) ?? []).map(({ tag_id }) => tag_id),
    })),
    routes,
    rules: rules.map(({ id, from_client_id, from_tag_id, to_client_id, to_tag_id }) => ({
      id,
      from: { client: from_client_id, tag: from_tag_id },
      to: { client: to_client_id, tag: to_tag_id },
    })),
  };
}

type Kept = Readonly<Record<string, string | number | null>> | null;

const SECRETS = new Set(['sealed_key', 'sealed_pki', 'revoked_list', 'device_certificate']);

function withoutKeys(row: Kept): Kept {
  return row && Object.fromEntries(Object.entries(row).filter(([key]) => !SECRETS.has(key)));
}

/** Runs hubs: brings what their machines do to what the database says. */
interface Follower {
  lookNow(): Promise<void>;
}
const followers = new WeakMap<object, Follower>();
const SETTLE_MS = 5000;

/** Has `follower` look at the hubs after every change of one that is committed. */
export function followHubs(ctx: Pick<Context, 'jobs'>, follower: Follower): void {
  followers.set(ctx.jobs, follower);
}

/** Resolves once what was committed is in force on the machines of hubs, or some seconds have passed: a new profile can be used at once. */
export async function hubsSettled(ctx: Pick<Context, 'jobs' | 'clock'>): Promise<void> {
  const follower = followers.get(ctx.jobs);
  if (!follower) return;
  let cancel = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    cancel = ctx.clock.after(SETTLE_MS, resolve);
  });
  await Promise.race([follower.lookNow(), late]);
  cancel();
}

/** One line of the history, about a hub or a part of one; sealed keys are left out. The runner of the hub is notified after the commit. */
export async function record(
  ctx: Context,
  trx: Trx,
  { actor, origin }: Caller,
  line: { action: string; hub: HubRow; name?: string; before: Kept; after: Kept },
): Promise<void> {
  const { action, hub, name, before, after } = line;
  const entry = { action, entity: 'vpn_hub', entityId: hub.id, entityName: name ?? hub.name, companyId: hub.company_id };
  await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [{ ...entry, before: withoutKeys(before), after: withoutKeys(after) }]);
  afterCommit(trx, () => void followers.get(ctx.jobs)?.lookNow());
}
