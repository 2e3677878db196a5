import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { HubEvent, HubSession, HubState } from '../../edges/vpn/types.ts';
import { HOUR } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { boundedSum } from '../../kernel/db/sum-bytes.ts';

type SessionRow = Row<'vpn_sessions'>;

/** A session is the same one while its client and its number are, in one run of the helper. */
const keyOf = (boot: string, { client, key }: HubSession): string => `${boot}.${client}.${key}`;

/** Of a client in an hour, and of a connection or a hub in all: no line carries more, and a helper that lies makes no number that nobody can read. */
const MAX_BYTES_AN_HOUR = 1e14;
const MAX_BYTES_IN_ALL = 8e15;

interface Moment {
  at: number;
  /** Whether what passes is taken off company data later. */
  isCharged: boolean;
}

async function addTraffic(
  trx: Trx,
  row: Pick<SessionRow, 'vpn_hub_id' | 'vpn_client_id'>,
  bytes: { sent: number; received: number },
  { at, isCharged }: Moment,
) {
  if (bytes.sent + bytes.received <= 0) return;
  await trx
    .insertInto('vpn_traffic')
    .values({ vpn_hub_id: row.vpn_hub_id, vpn_client_id: row.vpn_client_id ?? 0, hour: at - (at % HOUR), ...bytes })
    .onConflict((conflict) =>
      conflict.columns(['vpn_hub_id', 'vpn_client_id', 'hour']).doUpdateSet({
        sent: boundedSum('vpn_traffic.sent', sql`excluded.sent`, MAX_BYTES_AN_HOUR),
        received: boundedSum('vpn_traffic.received', sql`excluded.received`, MAX_BYTES_AN_HOUR),
      }),
    )
    .execute();
  await trx
    .updateTable('vpn_hubs')
    .set({
      bytes_used: boundedSum('vpn_hubs.bytes_used', sql`${bytes.sent + bytes.received}`, MAX_BYTES_IN_ALL),
      bytes_charged: boundedSum('vpn_hubs.bytes_charged', sql`${isCharged ? 0 : bytes.sent + bytes.received}`, MAX_BYTES_IN_ALL),
      last_used_at: at,
    })
    .where('id', '=', row.vpn_hub_id)
    .execute();
}

interface Named {
  name: string;
  type: SessionRow['type'];
  address: number;
}

async function namesOf(trx: Trx, hubIds: readonly number[]): Promise<Map<string, Named>> {
  const rows = await trx
    .selectFrom('vpn_clients')
    .select(['id', 'vpn_hub_id', 'name', 'type', 'address'])
    .where('vpn_hub_id', 'in', hubIds)
    .execute();
  return new Map(rows.map(({ id, vpn_hub_id, ...named }) => [`${vpn_hub_id}.${id}`, named]));
}

/** Begins a session, or brings its counters up to date; what was added since goes into the traffic of the hour. */
async function putSession(
  trx: Trx,
  hubId: number,
  boot: string,
  session: HubSession,
  names: ReadonlyMap<string, Named>,
  moment: Moment,
): Promise<void> {
  const { at: now } = moment;
  const known = names.get(`${hubId}.${session.client}`);
  const added = (counter: number, former: number): number =>
    Math.min(Math.max(0, counter - former), MAX_BYTES_AN_HOUR, MAX_BYTES_IN_ALL - former);
  const session_key = keyOf(boot, session);
  const former = await trx
    .selectFrom('vpn_sessions')
    .selectAll()
    .where('vpn_hub_id', '=', hubId)
    .where('session_key', '=', session_key)
    .executeTakeFirst();
  if (!former && !known) return;
  if (!former && known) {
    const bytes = { sent: added(session.sent, 0), received: added(session.received, 0) };
    await trx
      .insertInto('vpn_sessions')
      .values({
        vpn_hub_id: hubId,
        vpn_client_id: session.client,
        ...known,
        session_key,
        remote: session.remote.slice(0, 60),
        code: 0,
        ...bytes,
        started_at: Math.min(session.since, now),
        ended_at: null,
      })
      .onConflict((conflict) => conflict.columns(['vpn_hub_id', 'session_key']).doNothing())
      .execute();
    await addTraffic(trx, { vpn_hub_id: hubId, vpn_client_id: session.client }, bytes, moment);
    return;
  }
  if (!former || former.ended_at !== null) return;
  const sent = added(session.sent, Number(former.sent));
  const received = added(session.received, Number(former.received));
  if (sent + received === 0 && former.remote === session.remote) return;
  await trx
    .updateTable('vpn_sessions')
    .set({ sent: Number(former.sent) + sent, received: Number(former.received) + received, remote: session.remote.slice(0, 60) })
    .where('id', '=', former.id)
    .execute();
  await addTraffic(trx, former, { sent, received }, moment);
}

async function takeEvent(trx: Trx, boot: string, event: HubEvent, names: ReadonlyMap<string, Named>, moment: Moment): Promise<void> {
  const { at: now } = moment;
  if (event.session) {
    await putSession(trx, event.hub, boot, event.session, names, moment);
    if (event.code === 1)
      await trx
        .updateTable('vpn_sessions')
        .set({ ended_at: Math.min(event.at, now) })
        .where('vpn_hub_id', '=', event.hub)
        .where('session_key', '=', keyOf(boot, event.session))
        .where('ended_at', 'is', null)
        .execute();
    return;
  }
  if (event.code < 2) return;
  const known = event.client === null ? undefined : names.get(`${event.hub}.${event.client}`);
  const at = Math.min(event.at, now);
  await trx
    .insertInto('vpn_sessions')
    .values({
      vpn_hub_id: event.hub,
      vpn_client_id: known ? event.client : null,
      name: known?.name ?? (event.client === null ? '' : `c${event.client}`),
      type: known?.type ?? 'custom',
      address: known?.address ?? null,
      session_key: `${boot}.refused.${event.number}`,
      remote: event.remote.slice(0, 60),
      code: event.code,
      sent: 0,
      received: 0,
      started_at: at,
      ended_at: at,
    })
    .onConflict((conflict) => conflict.columns(['vpn_hub_id', 'session_key']).doNothing())
    .execute();
}

/** Writes what happened on the hubs of a helper. Several processes may do it at once: each session and each byte counts once. */
export async function takeState(
  ctx: Context,
  { boot, hubs, events, known }: { boot: string; hubs: readonly HubState[]; events: readonly HubEvent[]; known: ReadonlySet<number> },
): Promise<void> {
  const now = ctx.clock.now();
  const moment = { at: now, isCharged: ctx.config.hasResources };
  const ours = hubs.filter(({ id }) => known.has(id));
  await inTransaction(ctx.db, async (trx) => {
    const ids = [...known];
    const names = await namesOf(trx, ids);
    for (const event of events) if (known.has(event.hub)) await takeEvent(trx, boot, event, names, moment);
    const live = new Set<string>();
    for (const hub of ours)
      for (const session of hub.sessions) {
        live.add(`${hub.id}.${keyOf(boot, session)}`);
        await putSession(trx, hub.id, boot, session, names, moment);
      }
    // What the helper does not know any more has ended, such as by a new start of it.
    const open = await trx
      .selectFrom('vpn_sessions')
      .select(['id', 'vpn_hub_id', 'session_key'])
      .where('vpn_hub_id', 'in', ids)
      .where('ended_at', 'is', null)
      .execute();
    const gone = open.filter((row) => !live.has(`${row.vpn_hub_id}.${row.session_key}`)).map(({ id }) => id);
    if (gone.length > 0) await trx.updateTable('vpn_sessions').set({ ended_at: now }).where('id', 'in', gone).execute();
  });
}
