import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { sql, type Expression } from 'kysely';
import type { RemoteSession } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { requirePermission, type Actor, type Caller } from '../../kernel/actor.ts';
import { stream, type Answer } from '../../kernel/answer.ts';
import {
  applyListQuery,
  byText,
  containsText,
  inOrderOf,
  integers,
  isOneOf,
  listConditions,
  listOrder,
  type ListColumns,
} from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { CsvColumn } from '../../kernel/db/csv.ts';
import type { ExportOptions } from '../../kernel/db/export-writers.ts';
import { NotFound } from '../../kernel/errors.ts';
import { exportAnswer } from '../../kernel/export-answer.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { recordingPath } from '../../domain/remote/recording.ts';
import { isDesktop } from '../../domain/remote/settings.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

const dayOf = (text: string): number => Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
const started = sql.ref('remote_sessions.started_at');

export const historyColumns: ListColumns = {
  id: sql.ref('remote_sessions.id'),
  sorts: {
    id: { by: sql.ref('remote_sessions.id') },
    start_time: { by: started },
    start_date: { by: started },
    end_time: { by: sql.ref('remote_sessions.ended_at'), isNullable: true },
    end_date: { by: sql.ref('remote_sessions.ended_at'), isNullable: true },
    device_name: byText('remote_sessions.device_name'),
    username: byText('remote_sessions.user_name'),
    company_name: byText('companies.name'),
    input_data: { by: sql.ref('remote_sessions.bytes_in') },
    output_data: { by: sql.ref('remote_sessions.bytes_out') },
  },
  filters: {
    active: (values) => isOneOf(sql`case when remote_sessions.ended_at is null then 1 else 0 end`, integers(values)),
    type: (values) => isOneOf(sql.ref('remote_sessions.type'), values),
    protocol: (values) => isOneOf(sql.ref('remote_sessions.protocol'), values),
    user_id: (values) => isOneOf(sql.ref('remote_sessions.user_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('remote_sessions.device_id'), integers(values)),
    entry_id: (values) => isOneOf(sql.ref('remote_sessions.entry_id'), integers(values)),
    company_id: (values) => isWithin(sql.ref('remote_sessions.company_id'), integers(values)),
    start_date: ([from = '']) => sql`${started} >= ${dayOf(from)}`,
    end_date: ([to = '']) => sql`${started} < ${dayOf(to) + DAY}`,
  },
  search: (text) =>
    containsText(
      [sql.ref('remote_sessions.device_name'), sql.ref('remote_sessions.entry_name'), sql.ref('remote_sessions.user_name')],
      text,
    ),
};

export const visibleSessions = (db: Db, actor: Actor) =>
  db
    .selectFrom('remote_sessions')
    .innerJoin('companies', 'companies.id', 'remote_sessions.company_id')
    .where(isVisible(actor, 'remote_sessions'));

const REASONS: ReadonlySet<string> = new Set([
  'left',
  'ended',
  'killed',
  'idle',
  'expired',
  'right-lost',
  'device-moved',
  'device-removed',
  'entry-removed',
  'entry-changed',
  'blocked',
  'no-data',
  'consent-refused',
  'stopping',
  'server-lost',
  'not-opened',
  'wrong-person',
]);

/** Why a session ended, in one of the words that have a text; whatever else a kind says is a failure. */
function reasonOf(reason: string | null): RemoteSession['end_reason'] {
  if (reason === null) return null;
  return REASONS.has(reason) ? (reason as RemoteSession['end_reason']) : 'failed';
}

/** Sessions that the actor sees, by id. */
export async function findSessions(db: Db, actor: Actor, ids: readonly number[]): Promise<RemoteSession[]> {
  const rows = await visibleSessions(db, actor)
    .selectAll('remote_sessions')
    .select('companies.name as company_name')
    .where('remote_sessions.id', 'in', ids)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    protocol: row.protocol,
    device_id: row.device_id,
    device_name: row.device_name,
    entry_id: row.entry_id,
    entry_name: row.entry_name,
    destination: row.host.includes(':') ? `[${row.host}]:${row.port}` : `${row.host}:${row.port}`,
    user_id: row.user_id,
    username: row.user_name,
    company_id: row.company_id,
    company_name: row.company_name,
    ip: row.ip,
    start_time: wireTime(row.started_at),
    end_time: wireTime(row.ended_at),
    ends_at: wireTime(row.expires_at),
    end_reason: reasonOf(row.end_reason),
    active: row.ended_at === null ? 1 : 0,
    input_data: row.bytes_in,
    output_data: row.bytes_out,
    is_shared: row.link_id === null ? 0 : 1,
    // There to be taken once the session has ended.
    has_recording: row.recording_bytes > 0 && row.ended_at !== null ? 1 : 0,
  }));
}

/** One page of who reached what, of devices that were the actor's companies' at the time. */
export async function listSessions(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: RemoteSession[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleSessions(db, actor).select('remote_sessions.id'), query, historyColumns);
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await findSessions(db, actor, ids)), total };
}

/** The row of a session. Throws NOT_FOUND. */
async function requireSession(db: Db, actor: Actor, id: number): Promise<Row<'remote_sessions'>> {
  const row = await visibleSessions(db, actor).selectAll('remote_sessions').where('remote_sessions.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** Ends a session that is open. Throws NOT_FOUND, and FORBIDDEN for one of somebody else without the right to manage remote access. */
export async function endSession(ctx: Context, actor: Actor, id: number): Promise<void> {
  const row = await requireSession(ctx.reads, actor, id);
  const isOwn = row.user_id === actor.userId;
  if (!isOwn) requirePermission(actor, 'update_device_remote_access');
  await ctx.remote.end([id], isOwn ? 'left' : 'killed');
}

/** The recording of a session that has ended; that somebody took it is in the history. Throws NOT_FOUND. */
export async function readRecording(ctx: Context, { actor, origin }: Caller, id: number): Promise<Answer> {
  const row = await requireSession(ctx.reads, actor, id);
  const path = recordingPath(ctx.config.dataDir, row);
  const found = row.recording_bytes > 0 && row.ended_at !== null ? await stat(path).catch(() => undefined) : undefined;
  if (!found) throw new NotFound({});
  await inTransaction(ctx.db, (trx) =>
    writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [
      {
        action: 'remote-access.recording',
        entity: 'remote_session',
        entityId: id,
        entityName: `${row.device_name}: ${row.entry_name}`,
        companyId: row.company_id,
        before: null,
        after: { session: id, user: row.user_name },
      },
    ]),
  );
  return stream(createReadStream(path), {
    'content-type': isDesktop(row.protocol) ? 'application/octet-stream' : 'application/x-asciicast',
    'content-disposition': `attachment; filename="session-${basename(path)}"`,
    'cache-control': 'no-store',
  });
}

const EXPORTED: Readonly<Record<string, [Expression<unknown>, CsvColumn['kind']]>> = {
  id: [sql.ref('remote_sessions.id'), 'number'],
  start_time: [sql.ref('remote_sessions.started_at'), 'time'],
  end_time: [sql.ref('remote_sessions.ended_at'), 'time'],
  end_reason: [sql.ref('remote_sessions.end_reason'), 'text'],
  entry_name: [sql.ref('remote_sessions.entry_name'), 'text'],
  device_name: [sql.ref('remote_sessions.device_name'), 'text'],
  protocol: [sql.ref('remote_sessions.protocol'), 'text'],
  type: [sql.ref('remote_sessions.type'), 'text'],
  destination: [sql`remote_sessions.host || ':' || remote_sessions.port`, 'text'],
  username: [sql.ref('remote_sessions.user_name'), 'text'],
  company_name: [sql.ref('companies.name'), 'text'],
  ip: [sql.ref('remote_sessions.ip'), 'text'],
  input_data: [sql.ref('remote_sessions.bytes_in'), 'number'],
  output_data: [sql.ref('remote_sessions.bytes_out'), 'number'],
};

/** Who reached what, as a file; filters, sort and fields as in the list. */
export function exportSessions(
  ctx: Context,
  actor: Actor,
  { query, fields, options }: { query: ListQuery; fields: readonly string[]; options: ExportOptions },
): Promise<Answer> {
  const chosen = fields.flatMap((field) => {
    const column = EXPORTED[field];
    return column ? [{ field, by: column[0], kind: column[1] }] : [];
  });
  const conditions = [isVisible(actor, 'remote_sessions'), ...listConditions(query, historyColumns)];
  const rows = sql`select ${sql.join(chosen.map(({ by, field }) => sql`${by} as ${sql.ref(field)}`))} from remote_sessions
    inner join companies on companies.id = remote_sessions.company_id where ${sql.join(conditions, sql` and `)}
    order by ${sql.join(listOrder(query, historyColumns))}`;
  const columns = chosen.map(({ field, kind }): CsvColumn => ({ header: field, kind }));
  return exportAnswer(ctx, { name: 'access-history', query: rows.compile(ctx.reads), columns, options });
}
