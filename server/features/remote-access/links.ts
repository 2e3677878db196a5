import { sql } from 'kysely';
import type { FormData, RemoteLink } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { hashToken, randomToken } from '../../kernel/auth/tokens.ts';
import { HOUR, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { sendMail, type Outcome } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import { LinkInvalid } from '../../domain/remote/errors.ts';
import { findOpenLink } from '../../domain/remote/begin-session.ts';
import type { OpenedSession } from '../../domain/remote/types.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { requireEntry } from './entries.ts';

const columns: ListColumns = {
  id: sql.ref('remote_links.id'),
  sorts: {
    id: { by: sql.ref('remote_links.id') },
    entry_name: byText('remote_entries.name'),
    device_name: { by: sql.ref('devices.name_key') },
    company_name: byText('companies.name'),
    email: byText('remote_links.email'),
    expires_at: { by: sql.ref('remote_links.expires_at') },
    created_at: { by: sql.ref('remote_links.created_at') },
  },
  filters: {
    device_id: (values) => isOneOf(sql.ref('remote_entries.device_id'), integers(values)),
    entry_id: (values) => isOneOf(sql.ref('remote_links.entry_id'), integers(values)),
  },
  search: (text) =>
    containsText(
      [sql.ref('remote_entries.name'), sql.ref('devices.name'), sql.ref('remote_links.email'), sql.ref('remote_links.purpose')],
      text,
    ),
};

const allLinks = (db: Db) =>
  db
    .selectFrom('remote_links')
    .innerJoin('remote_entries', 'remote_entries.id', 'remote_links.entry_id')
    .innerJoin('devices', 'devices.id', 'remote_entries.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id');

/** Links to entries of devices that the actor sees. */
const managedLinks = (db: Db, actor: Actor) => allLinks(db).where(isVisible(actor, 'devices'));

/** Links that were given to the actor and are still open, of whatever company. */
const ownLinks = (ctx: Context, actor: Actor) =>
  allLinks(ctx.reads)
    .where(sql<string>`lower_text(remote_links.email)`, '=', actor.email.toLowerCase())
    .where('remote_links.revoked_at', 'is', null)
    .where('remote_links.expires_at', '>', ctx.clock.now());

type Found = ReturnType<typeof allLinks>;

async function present(base: Found, ids: readonly number[], now: number): Promise<RemoteLink[]> {
  const rows = await base
    .selectAll('remote_links')
    .select([
      'remote_entries.name as entry_name',
      'remote_entries.protocol',
      'remote_entries.device_id',
      'devices.name as device_name',
      'devices.company_id',
      'companies.name as company_name',
    ])
    .where('remote_links.id', 'in', ids)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    entry_id: row.entry_id,
    entry_name: row.entry_name,
    protocol: row.protocol,
    device_id: row.device_id,
    device_name: row.device_name,
    company_id: row.company_id,
    company_name: row.company_name,
    email: row.email,
    purpose: row.purpose,
    ticket_number: row.ticket_number || null,
    created_by_name: row.created_by_name,
    state: row.revoked_at !== null ? 'revoked' : row.expires_at <= now ? 'expired' : 'open',
    uses: row.uses,
    used_at: wireTime(row.used_at),
    expires_at: wireTime(row.expires_at),
    created_at: wireTime(row.created_at),
  }));
}

/** One page of the links to entries of devices that the actor sees. */
export async function listLinks(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: RemoteLink[]; total: number }> {
  const { rows, total } = await applyListQuery(managedLinks(ctx.reads, actor).select('remote_links.id'), query, columns);
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await present(managedLinks(ctx.reads, actor), ids, ctx.clock.now())), total };
}

/** One page of what was shared with the actor, whatever company it is of. */
export async function listShared(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: RemoteLink[]; total: number }> {
  const { rows, total } = await applyListQuery(ownLinks(ctx, actor).select('remote_links.id'), query, columns);
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await present(ownLinks(ctx, actor), ids, ctx.clock.now())), total };
}

/** Whether the mail about a link was sent: `none` where none was asked for. */
type MailOutcome = Outcome | 'none';

interface AddedLink {
  id: number;
  entry: { name: string; company_id: number; device_id: number };
  expiresAt: number;
}

/** Sends the person of a link its address, in the language of who made it; the link stands however that goes. */
async function mailLink(
  ctx: Context,
  { actor }: Caller,
  { id, entry, expiresAt }: AddedLink,
  input: Pick<FormData['remote-access/share'], 'email' | 'purpose'>,
  language: Language,
): Promise<Outcome> {
  const place = await ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.name as device', 'companies.name as company'])
    .where('devices.id', '=', entry.device_id)
    .where(isVisible(actor, 'devices'))
    .executeTakeFirstOrThrow();
  const values = {
    ...place,
    name: actor.name,
    entry: entry.name,
    purpose: input.purpose,
    email: input.email,
    until: new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' '),
    url: `${ctx.publicUrl()}/remote/shared?id=${id}`,
  };
  const mail = await writeMail(ctx, entry.company_id, { to: input.email, kind: 'access-shared', language, values });
  return sendMail(ctx, entry.company_id, mail);
}

/** Lets one person reach an entry for a time, and mails them the address where that is wanted. Throws NOT_FOUND. */
export async function addLink(
  ctx: Context,
  caller: Caller,
  entryId: number,
  input: FormData['remote-access/share'],
  language: Language,
): Promise<{ id: number; mail: MailOutcome }> {
  const added = await writeLink(ctx, caller, entryId, input);
  return { id: added.id, mail: input.sends_mail ? await mailLink(ctx, caller, added, input, language) : 'none' };
}

async function writeLink(ctx: Context, caller: Caller, entryId: number, input: FormData['remote-access/share']): Promise<AddedLink> {
  const at = ctx.clock.now();
  const { actor, origin } = caller;
  const expiresAt = at + input.hours * HOUR;
  return inTransaction(ctx.db, async (trx) => {
    const entry = await requireEntry(trx, actor, entryId);
    const link = await trx
      .insertInto('remote_links')
      .values({
        entry_id: entry.id,
        token_hash: hashToken(randomToken()),
        email: input.email,
        purpose: input.purpose,
        ticket_number: input.ticket_number ?? '',
        created_by: actor.onBehalfOf ?? actor.userId,
        created_by_name: actor.name,
        created_in: actor.companyId,
        created_at: at,
        expires_at: expiresAt,
        revoked_at: null,
        used_at: null,
        uses: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'remote-access.share',
        entity: 'remote_entry',
        entityId: entry.id,
        entityName: entry.name,
        companyId: entry.company_id,
        before: null,
        after: {
          email: input.email,
          hours: input.hours,
          purpose: input.purpose,
          ticket_number: input.ticket_number ?? null,
          mailed: input.sends_mail === true,
        },
      },
    ]);
    return { id: link.id, entry, expiresAt };
  });
}

/** Takes a link back; sessions through it end within a second. Throws NOT_FOUND. */
export async function revokeLink(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const link = await managedLinks(trx, actor)
      .select(['remote_links.id', 'remote_links.email', 'remote_links.revoked_at', 'remote_entries.id as entry_id'])
      .select(['remote_entries.name as entry_name', 'devices.company_id'])
      .where('remote_links.id', '=', id)
      .executeTakeFirst();
    if (!link) throw new NotFound({});
    if (link.revoked_at !== null) return;
    await trx.updateTable('remote_links').set({ revoked_at: at }).where('id', '=', id).execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'remote-access.revoke',
        entity: 'remote_entry',
        entityId: link.entry_id,
        entityName: link.entry_name,
        companyId: link.company_id,
        before: { email: link.email },
        after: null,
      },
    ]);
  });
}

/** Opens a session by a link that was given to the actor. Throws REMOTE_LINK_INVALID. */
export async function connectShared(ctx: Context, caller: Caller, id: number, seconds: number): Promise<OpenedSession> {
  const link = await findOpenLink(ctx, id);
  if (!link || link.email.toLowerCase() !== caller.actor.email.toLowerCase()) throw new LinkInvalid({});
  const left = Math.floor((link.expires_at - ctx.clock.now()) / 1000);
  return ctx.remote.begin({ ...caller, entryId: link.entry_id, seconds: Math.min(seconds, Math.max(1, left)), linkId: id });
}
