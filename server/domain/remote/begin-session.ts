import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { hashToken, randomToken } from '../../kernel/auth/tokens.ts';
import { HOUR, SECOND } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, NotFound } from '../../kernel/errors.ts';
import { isPresent, isVisible } from '../../kernel/tenancy.ts';
import { LinkInvalid, NoHandler, PagesOff, RdpMissing, RemoteBlocked, TooManySessions } from './errors.ts';
import { guardTarget, ITSELF } from './guard.ts';
import { pageDomain } from './page-domain.ts';
import { findRdpPrograms } from './rdp-programs.ts';
import type { SessionRow } from './live-session.ts';
import type { RemoteDevice, RemoteKind, SessionRequest } from './types.ts';

export const TICKET_MS = 30 * SECOND;
export const LONGEST_MS = 12 * HOUR;
const MOST_OF_PERSON = 20;
const MOST_OF_DEVICE = 20;

/** An entry with its device and the path of its company. */
export interface EntryOfDevice {
  entry: Row<'remote_entries'>;
  device: RemoteDevice;
  companyPath: string;
}

const deviceColumns = [
  'devices.name as device_name',
  'devices.company_id',
  'devices.device_key',
  'devices.wan_ip',
  'devices.lan_ip',
  'companies.path',
] as const;

/** An entry of a device that the actor sees, or any for `undefined`. Throws NOT_FOUND. */
export async function findEntry(db: Db, actor: Actor | undefined, entryId: number): Promise<EntryOfDevice> {
  let query = db
    .selectFrom('remote_entries')
    .innerJoin('devices', 'devices.id', 'remote_entries.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('remote_entries')
    .select(deviceColumns)
    .where('remote_entries.id', '=', entryId);
  if (actor) query = query.where(isVisible(actor, 'devices'));
  const row = await query.executeTakeFirst();
  if (!row || !isPresent(row.path)) throw new NotFound({});
  const { device_name, company_id, device_key, wan_ip, lan_ip, path, ...entry } = row;
  return { entry, device: { id: entry.device_id, name: device_name, company_id, device_key, wan_ip, lan_ip }, companyPath: path };
}

/** A link that still gives its right: not expired, not revoked, and its maker may still give it. */
export async function findOpenLink(ctx: Pick<Context, 'reads' | 'clock'>, linkId: number): Promise<Row<'remote_links'> | undefined> {
  return ctx.reads
    .selectFrom('remote_links')
    .innerJoin('remote_entries', 'remote_entries.id', 'remote_links.entry_id')
    .innerJoin('devices', 'devices.id', 'remote_entries.device_id')
    .innerJoin('companies as of_device', 'of_device.id', 'devices.company_id')
    .innerJoin('companies as of_maker', 'of_maker.id', 'remote_links.created_in')
    .innerJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'remote_links.created_by').onRef('memberships.company_id', '=', 'remote_links.created_in'),
    )
    .innerJoin('role_permissions', (join) =>
      join
        .onRef('role_permissions.role_id', '=', 'memberships.role_id')
        .on('role_permissions.permission', 'in', ['super_admin', 'update_device_remote_access']),
    )
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .selectAll('remote_links')
    .where('remote_links.id', '=', linkId)
    .where('remote_links.revoked_at', 'is', null)
    .where('remote_links.expires_at', '>', ctx.clock.now())
    .where('memberships.disabled_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('roles.scope', '=', 'all'),
        eb('of_device.id', '=', eb.ref('of_maker.id')),
        eb.and([eb('roles.scope', '=', 'tree'), eb('of_device.path', 'like', sql<string>`of_maker.path || '%'`)]),
      ]),
    )
    .executeTakeFirst();
}

async function checkRight(ctx: Context, { actor, entryId, linkId }: SessionRequest): Promise<EntryOfDevice> {
  if (linkId === undefined) {
    const found = await findEntry(ctx.db, actor, entryId);
    if (!can(actor, 'execute_device_remote_access')) throw new Forbidden({});
    return found;
  }
  const link = await findOpenLink(ctx, linkId);
  if (!link || link.entry_id !== entryId || link.email.toLowerCase() !== actor.email.toLowerCase()) throw new LinkInvalid({});
  return findEntry(ctx.db, undefined, entryId);
}

const SESSIONS_LOCK = 4_711_003;

/** Throws TOO_MANY_REMOTE_SESSIONS. Sessions are counted one after the other, each until its transaction ends, so that callers at the same time cannot pass the limit together. */
async function assertBelowLimits(trx: Trx, { tools }: Pick<Context['database'], 'tools'>, actor: Actor, deviceId: number): Promise<void> {
  // SQLite has one writer at a time anyway.
  if (tools.kind === 'postgres') await sql`select pg_advisory_xact_lock(${SESSIONS_LOCK})`.execute(trx);
  const open = await trx
    .selectFrom('remote_sessions')
    .select((eb) => [
      eb.fn.sum<number>(eb.case().when('user_id', '=', actor.userId).then(1).else(0).end()).as('mine'),
      eb.fn.sum<number>(eb.case().when('device_id', '=', deviceId).then(1).else(0).end()).as('there'),
    ])
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (Number(open?.mine ?? 0) >= MOST_OF_PERSON) throw new TooManySessions({ most: MOST_OF_PERSON });
  if (Number(open?.there ?? 0) >= MOST_OF_DEVICE) throw new TooManySessions({ most: MOST_OF_DEVICE });
}

function typeOf(kind: RemoteKind, host: string): SessionRow['type'] {
  if (kind !== 'http' && kind !== 'https') return 'cli';
  return host === ITSELF ? 'webui' : 'lan-webui';
}

export interface Begun {
  row: SessionRow;
  ticket: string;
  found: EntryOfDevice;
}

/**
 * Writes a session and its ticket. Throws NOT_FOUND, FORBIDDEN, REMOTE_LINK_INVALID, REMOTE_BLOCKED, RDP_PROGRAMS_MISSING, REMOTE_PAGES_OFF, TOO_MANY_REMOTE_SESSIONS and what `check` says, which answers when the session ends at the latest;
 * RemoteError for an address that is refused.
 */
export async function beginSession(
  ctx: Context,
  request: SessionRequest,
  { owner, hasKind, check }: { owner: string; hasKind(kind: RemoteKind): boolean; check(found: EntryOfDevice): Promise<number | null> },
): Promise<Begun> {
  const { actor, origin } = request;
  const found = await checkRight(ctx, request);
  const { entry, device } = found;
  if (entry.blocked_at !== null) throw new RemoteBlocked({ entry: entry.name });
  if (!hasKind(entry.protocol)) throw new NoHandler({ protocol: entry.protocol });
  if (entry.protocol === 'rdp' && !findRdpPrograms()) throw new RdpMissing({});
  const isPage = entry.protocol === 'http' || entry.protocol === 'https';
  if (isPage && pageDomain(ctx.config.remote, ctx.publicUrl(), ctx.config.remote.pagesPort) === undefined) throw new PagesOff({});
  guardTarget(ctx.config.remote, entry);
  const endsBy = await check(found);
  const now = ctx.clock.now();
  const ticket = randomToken();
  const row = await inTransaction(ctx.db, async (trx) => {
    await assertBelowLimits(trx, ctx.database, actor, device.id);
    const added = await trx
      .insertInto('remote_sessions')
      .values({
        company_id: device.company_id,
        device_id: device.id,
        device_name: device.name,
        entry_id: entry.id,
        entry_name: entry.name,
        protocol: entry.protocol,
        type: typeOf(entry.protocol, entry.host),
        host: entry.host,
        port: entry.port,
        user_id: actor.userId,
        user_name: actor.name,
        on_behalf_of: actor.onBehalfOf,
        link_id: request.linkId ?? null,
        session_id: actor.sessionId ?? null,
        token_id: actor.tokenId ?? null,
        ip: origin.ip,
        ticket_hash: hashToken(ticket),
        ticket_expires_at: now + TICKET_MS,
        opened_at: null,
        started_at: now,
        expires_at: Math.min(now + Math.min(request.seconds * SECOND, LONGEST_MS), endsBy ?? Infinity),
        ended_at: null,
        end_reason: null,
        end_requested: null,
        bytes_in: 0,
        bytes_out: 0,
        bytes_charged: ctx.config.hasResources ? 0 : null,
        owner,
        seen_at: now,
        recording_bytes: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (request.linkId !== undefined)
      await trx
        .updateTable('remote_links')
        .set((eb) => ({ used_at: now, uses: eb('uses', '+', 1) }))
        .where('id', '=', request.linkId)
        .execute();
    const after = { session: added.id, protocol: entry.protocol, host: entry.host, port: entry.port, entry: entry.name };
    await writeAudit(trx, { actor, origin, at: now }, [
      {
        action: 'devices.connect',
        entity: 'device',
        entityId: device.id,
        entityName: device.name,
        companyId: device.company_id,
        before: null,
        after: request.linkId === undefined ? after : { ...after, link: request.linkId },
      },
    ]);
    return added;
  });
  return { row, ticket, found };
}
