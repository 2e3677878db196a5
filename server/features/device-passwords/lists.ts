import { sql } from 'kysely';
import type { PasswordList } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { csvHeader, csvLine, type CsvColumn } from '../../kernel/db/csv.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, NotFound } from '../../kernel/errors.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import type { JobCounts } from '../../domain/jobs/counts.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { PasswordsDownloaded, PasswordsExpired, PasswordsNotReady } from './errors.ts';
import { openPassword } from './password-input.ts';

/** So long a list waits to be downloaded. */
export const LIST_DAYS = 7;

const columns: ListColumns = {
  id: sql.ref('password_lists.job_id'),
  sorts: {
    id: { by: sql.ref('password_lists.job_id') },
    company_name: byText('companies.name'),
    user_name: byText('jobs.user_name'),
    // Jobs are numbered in the order of time.
    created_at: { by: sql.ref('password_lists.job_id') },
  },
  filters: { company_id: (values) => isOneOf(sql.ref('jobs.company_id'), integers(values)) },
  search: (text) => containsText([sql.ref('jobs.user_name')], text),
};

const selectLists = (db: Db, actor: Actor) =>
  db
    .selectFrom('password_lists')
    .innerJoin('jobs', 'jobs.id', 'password_lists.job_id')
    .innerJoin('companies', 'companies.id', 'jobs.company_id')
    .where(isJobVisible(actor));

const openCount = ({ queued, sent, running }: JobCounts): number => queued + sent + running;

function stateOf(row: Pick<Row<'password_lists'>, 'end_reason'> & { counts: string }): PasswordList['state'] {
  if (row.end_reason !== null) return row.end_reason;
  return openCount(JSON.parse(row.counts) as JobCounts) > 0 ? 'waiting' : 'ready';
}

/** One page of the lists of jobs that the actor sees. */
export async function listPasswordLists(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: PasswordList[]; total: number }> {
  const base = selectLists(db, actor)
    .select(['password_lists.job_id as id', 'password_lists.ended_at', 'password_lists.end_reason', 'password_lists.created_at'])
    .select(['jobs.company_id', 'jobs.counts', 'jobs.total', 'jobs.created_by', 'jobs.user_name', 'companies.name as company_name']);
  const { rows, total } = await applyListQuery(base, query, columns);
  const lists = rows.map((row): PasswordList => ({
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    user_name: row.user_name,
    is_mine: row.created_by === actor.userId,
    state: stateOf(row),
    completed: row.total - openCount(JSON.parse(row.counts) as JobCounts),
    total: row.total,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.ended_at ?? row.created_at),
    deleted_at: wireTime(row.ended_at),
  }));
  return { rows: lists, total };
}

const csvColumns: CsvColumn[] = ['id', 'name', 'serial', 'mac', 'username', 'password', 'result'].map((header) => ({
  header,
  kind: header === 'id' ? 'number' : 'text',
}));

function assertThere(row: Row<'password_lists'> & { counts: string }): void {
  if (row.ended_at !== null && row.end_reason === 'downloaded') throw new PasswordsDownloaded({ at: wireTime(row.ended_at) });
  if (row.ended_at !== null) throw new PasswordsExpired({ days: LIST_DAYS });
  const open = openCount(JSON.parse(row.counts) as JobCounts);
  if (open > 0) throw new PasswordsNotReady({ open });
}

/**
 * The new passwords of a job as CSV, for who started it and once: they are deleted with it. Throws NOT_FOUND, FORBIDDEN, PASSWORDS_NOT_READY,
 * PASSWORDS_DOWNLOADED, PASSWORDS_EXPIRED.
 */
export async function takeList(ctx: Context, { actor, origin }: Caller, jobId: number): Promise<string> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const row = await selectLists(trx, actor)
      .selectAll('password_lists')
      .select(['jobs.counts', 'jobs.created_by', 'jobs.company_id'])
      .where('password_lists.job_id', '=', jobId)
      .executeTakeFirst();
    if (!row) throw new NotFound({});
    if (row.created_by !== actor.userId || actor.onBehalfOf !== null) throw new Forbidden({});
    assertThere(row);
    const taken = await trx
      .updateTable('password_lists')
      .set({ ended_at: at, end_reason: 'downloaded' })
      .where('job_id', '=', jobId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    // Somebody with the same session was faster.
    if (taken.numUpdatedRows === 0n) throw new PasswordsDownloaded({ at: wireTime(at) });
    const items = await trx.selectFrom('password_list_items').selectAll().where('job_id', '=', jobId).orderBy('id').execute();
    await trx.deleteFrom('password_list_items').where('job_id', '=', jobId).execute();
    const entry = { action: 'device-passwords.download', entity: 'job', entityId: jobId, entityName: '', companyId: row.company_id };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: null, after: { devices: items.length } }]);
    const lines = items.map((item) => {
      const password = openPassword(ctx, item.device_id, item.sealed_value);
      return csvLine([item.device_id, item.device_name, item.serial, item.mac, item.username, password, item.state], csvColumns);
    });
    return csvHeader(csvColumns) + lines.join('');
  });
}

/** Deletes passwords that nobody downloaded in time. */
export async function expireLists(ctx: Context): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const old = await trx
      .selectFrom('password_lists')
      .innerJoin('jobs', 'jobs.id', 'password_lists.job_id')
      .select(['job_id', 'jobs.company_id'])
      .where('password_lists.ended_at', 'is', null)
      .where('jobs.finished_at', '<', at - LIST_DAYS * DAY)
      .execute();
    for (const { job_id, company_id } of old) {
      await trx.deleteFrom('password_list_items').where('job_id', '=', job_id).execute();
      await trx.updateTable('password_lists').set({ ended_at: at, end_reason: 'expired' }).where('job_id', '=', job_id).execute();
      const entry = { action: 'device-passwords.expire', entity: 'job', entityId: job_id, entityName: '', companyId: company_id };
      await writeAudit(trx, { actor: null, origin: { ip: '', requestId: 'password-lists', userAgent: '' }, at }, [
        { ...entry, before: null, after: null },
      ]);
    }
  });
}
