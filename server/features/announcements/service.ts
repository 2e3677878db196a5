import { sql } from 'kysely';
import type { Announcement, FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { applyListQuery, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { requireCompany } from '../../kernel/tenancy.ts';

const MOST_SHOWN = 20;
const column = (name: string) => sql.ref(`announcements.${name}`);
const columns: ListColumns = {
  id: sql.ref('announcements.id'),
  sorts: {
    created_at: { by: column('created_at') },
    starts_at: { by: column('starts_at'), isNullable: true },
    ends_at: { by: column('ends_at'), isNullable: true },
  },
  filters: { type: (values) => isOneOf(column('type'), values) },
};

type Shown = Row<'announcements'> & { company_name: string | null };

function present(row: Shown): Announcement {
  const [from, to] = [wireTime(row.starts_at), wireTime(row.ends_at)];
  return {
    id: row.id,
    type: row.type,
    summary: row.summary,
    company_id: row.company_id,
    company_name: row.company_name,
    audience: row.audience,
    period: from === null || to === null ? null : { from, to },
    starts_at: from,
    ends_at: to,
    created_at: wireTime(row.created_at),
  };
}

/** Every announcement; only system administrators, who see all companies, come here. */
const withCompany = (db: Db) =>
  db
    .selectFrom('announcements')
    .leftJoin('companies', 'companies.id', 'announcements.company_id')
    .selectAll('announcements')
    .select('companies.name as company_name');

/** One page of all announcements. */
export async function listAnnouncements(db: Db, query: ListQuery): Promise<{ rows: Announcement[]; total: number }> {
  const { rows, total } = await applyListQuery(withCompany(db), query, columns);
  return { rows: rows.map(present), total };
}

/** One announcement. Throws NOT_FOUND. */
export async function getAnnouncement(db: Db, id: number): Promise<Announcement> {
  const row = await withCompany(db).where('announcements.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return present(row);
}

async function valuesOf(trx: Trx, actor: Actor, input: FormData['announcements/new']) {
  const summary = await cleanHtml(input.summary);
  if (summary === '')
    throw new InvalidFields([
      { source: 'summary', message: 'Nothing is left of this text.', params: { key: 'forms.announcements.no_text' } },
    ]);
  if (input.company_id !== undefined) await requireCompany(trx, actor, input.company_id, 'company_id');
  const at = (time: string | undefined): number | null => (time === undefined ? null : Date.parse(`${time.replace(' ', 'T')}Z`));
  return {
    type: input.type,
    summary,
    company_id: input.company_id ?? null,
    audience: input.audience,
    starts_at: at(input.period?.from),
    ends_at: at(input.period?.to),
  };
}

type Changed = Row<'announcements'> | null;

/** Adds the audit row, and notifies open consoles after the commit. */
async function record(
  ctx: Context,
  trx: Trx,
  { actor, origin }: Caller,
  change: { verb: string; at: number; before: Changed; after: Changed },
): Promise<void> {
  const { before, after, at } = change;
  const row = after ?? before;
  await writeAudit(trx, { actor, origin, at }, [
    {
      action: `announcements.${change.verb}`,
      entity: 'announcement',
      entityId: row?.id ?? null,
      entityName: row?.type ?? '',
      companyId: row?.company_id ?? actor.companyId,
      before: before && { ...before },
      after: after && { ...after },
    },
  ]);
  afterCommit(trx, () => ctx.live.publish('announcements', 'AnnouncementsChanged', { at: wireTime(at) }));
}

/** Publishes an announcement. Throws INVALID_FIELD at `summary`, NOT_FOUND at `company_id`. */
export async function addAnnouncement(ctx: Context, caller: Caller, input: FormData['announcements/new']): Promise<number> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const values = await valuesOf(trx, caller.actor, input);
    const row = await trx
      .insertInto('announcements')
      .values({ ...values, created_at: at })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(ctx, trx, caller, { verb: 'new', at, before: null, after: row });
    return row.id;
  });
}

async function requireRow(trx: Trx, id: number): Promise<Row<'announcements'>> {
  const row = await trx.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** Changes an announcement; people who have dismissed it see it again when its text is another. Throws NOT_FOUND, INVALID_FIELD at `summary`. */
export async function editAnnouncement(ctx: Context, caller: Caller, id: number, input: FormData['announcements/edit']): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireRow(trx, id);
    const values = await valuesOf(trx, caller.actor, input);
    const after = await trx.updateTable('announcements').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    if (after.summary !== before.summary) await trx.deleteFrom('announcement_dismissals').where('announcement_id', '=', id).execute();
    await record(ctx, trx, caller, { verb: 'edit', at: ctx.clock.now(), before, after });
  });
}

/** Removes an announcement. Throws NOT_FOUND. */
export async function removeAnnouncement(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireRow(trx, id);
    await trx.deleteFrom('announcements').where('id', '=', id).execute();
    await record(ctx, trx, caller, { verb: 'remove', at: ctx.clock.now(), before, after: null });
  });
}

/** The announcements for the reader now: everybody's, and those of the own company or one above it. */
function currentFor(db: Db, actor: Actor, now: number) {
  const above = actor.companyPath.split('/').filter(Boolean).map(Number);
  const query = db
    .selectFrom('announcements')
    .where((eb) => eb.or([eb('company_id', 'is', null), eb('company_id', 'in', above)]))
    .where((eb) => eb.or([eb('starts_at', 'is', null), eb('starts_at', '<=', now)]))
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]));
  return can(actor, 'update_users') ? query : query.where('audience', '=', 'everybody');
}

export interface OwnAnnouncement {
  id: number;
  type: Announcement['type'];
  summary: string;
  ends_at: string | null;
  dismissed_at: string | null;
}

/** The announcements for the reader, newest first, at most 20. */
export async function listOwnAnnouncements(ctx: Context, actor: Actor): Promise<OwnAnnouncement[]> {
  const rows = await currentFor(ctx.reads, actor, ctx.clock.now())
    .leftJoin('announcement_dismissals as dismissal', (join) =>
      join.onRef('dismissal.announcement_id', '=', 'announcements.id').on('dismissal.user_id', '=', actor.userId),
    )
    .select(['announcements.id', 'announcements.type', 'announcements.summary', 'announcements.ends_at', 'dismissal.at'])
    .orderBy('announcements.id', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return rows.map(({ at, ends_at, ...row }) => ({ ...row, ends_at: wireTime(ends_at), dismissed_at: wireTime(at) }));
}

/** Keeps that the reader has looked at announcements; ids of those that are not for the reader change nothing. */
export async function dismissAnnouncements(ctx: Context, actor: Actor, ids: readonly number[]): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const own = await currentFor(trx, actor, at).select('id').where('id', 'in', ctx.database.tools.idList(ids)).execute();
    if (own.length === 0) return;
    await trx
      .insertInto('announcement_dismissals')
      .values(own.map(({ id }) => ({ user_id: actor.userId, announcement_id: id, at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

const SCHEMES = ['http', 'https', 'ftp', 'mailto', 'tel'];

/**
 * A text with nothing in it but words, emphasis, lists and links to other places (docs/behaviour.md section 3, Announcement).
 * Empty when nothing is left to read.
 */
export async function cleanHtml(html: string): Promise<string> {
  // Large, and seldom asked for: not a part of every start.
  const { default: sanitizeHtml } = await import('sanitize-html');
  const clean = sanitizeHtml(html, {
    allowedTags: ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'code', 'ul', 'ol', 'li', 'a'],
    allowedAttributes: { a: ['href'] },
    allowedSchemes: SCHEMES,
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
  }).trim();
  const words = sanitizeHtml(clean, { allowedTags: [], allowedAttributes: {} });
  return words.replace(/[\s\u00A0\u200B]|&nbsp;/g, '') === '' ? '' : clean;
}
