import { sql } from 'kysely';
import type { FormData, GeneratedReport } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

export type GeneratedRow = Row<'generated_reports'> & { company_name: string; job_state: Row<'jobs'>['state'] | null };

const columns: ListColumns = {
  id: sql.ref('generated_reports.id'),
  sorts: {
    id: { by: sql.ref('generated_reports.id') },
    name: byText('generated_reports.name'),
    company_name: byText('companies.name'),
    created_at: { by: sql.ref('generated_reports.created_at') },
  },
  filters: {
    company_id: (values) => isWithin(sql.ref('generated_reports.company_id'), integers(values)),
    report_template_id: (values) => isOneOf(sql.ref('generated_reports.report_id'), integers(values)),
    type: (values) => isOneOf(sql.ref('generated_reports.type'), values),
    period: (values) => isOneOf(sql.ref('generated_reports.period'), values),
  },
  search: (text) => containsText([sql.ref('generated_reports.name'), sql.ref('generated_reports.description')], text),
};

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** A report without what it says, as the wire shows it. */
export function presentGenerated(row: GeneratedRow): GeneratedReport {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    company_id: row.company_id,
    company_name: row.company_name,
    report_template_id: row.report_id,
    report_template_name: row.report_name,
    type: row.type,
    period: row.period,
    parameters: JSON.parse(row.parameters) as GeneratedReport['parameters'],
    start_date: dayOf(row.starts_at),
    end_date: dayOf(row.ends_at - DAY),
    // Jobs are removed some day; the reports that they made stay.
    state: row.job_id === null ? 'finished' : (row.job_state ?? 'finished'),
    job_id: row.job_id,
    user_name: row.user_name,
    created_at: wireTime(row.created_at),
  };
}

function findGenerated(db: Db, actor: Actor, ids: readonly number[]): Promise<GeneratedRow[]> {
  return db
    .selectFrom('generated_reports')
    .innerJoin('companies', 'companies.id', 'generated_reports.company_id')
    .leftJoin('jobs', 'jobs.id', 'generated_reports.job_id')
    .selectAll('generated_reports')
    .select(['companies.name as company_name', 'jobs.state as job_state'])
    .where('generated_reports.id', 'in', ids)
    .where(isVisible(actor, 'generated_reports'))
    .execute();
}

/** A report that the actor sees. Throws NOT_FOUND. */
export async function requireGenerated(db: Db, actor: Actor, id: number): Promise<GeneratedRow> {
  const [row] = await findGenerated(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

/** When a report was made, and to what its template applied then: null where the template is gone or was changed since. Throws NOT_FOUND. */
export async function findOrigin(
  ctx: Context,
  actor: Actor,
  id: number,
): Promise<{ appliesTo: Row<'reports'>['applies_to'] | null; at: number }> {
  const { report_id, created_at: at } = await requireGenerated(ctx.reads, actor, id);
  const template = await ctx.reads
    .selectFrom('reports')
    .select('applies_to')
    .where('id', '=', report_id)
    .where('updated_at', '<=', at)
    .where(isVisible(actor, 'reports'))
    .executeTakeFirst();
  return { appliesTo: template?.applies_to ?? null, at };
}

/** One page of the reports that the actor sees. */
export async function listGenerated(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: GeneratedReport[]; total: number }> {
  const base = ctx.reads
    .selectFrom('generated_reports')
    .innerJoin('companies', 'companies.id', 'generated_reports.company_id')
    .where(isVisible(actor, 'generated_reports'))
    .select('generated_reports.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findGenerated(ctx.reads, actor, ids)).map(presentGenerated), total };
}

const headOf = ({ company_name: _company, job_state: _state, ...row }: GeneratedRow): Row<'generated_reports'> => row;

/** Changes the name and the description of a report. Throws NOT_FOUND. */
export async function editGenerated(ctx: Context, { actor, origin }: Caller, id: number, body: FormData['reports/edit-generated']) {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = headOf(await requireGenerated(trx, actor, id));
    const { name, description } = body;
    await trx.updateTable('generated_reports').set({ name, description }).where('id', '=', id).execute();
    const entry = { entity: 'generated_report', entityId: id, entityName: name, companyId: before.company_id };
    await writeAudit(trx, { actor, origin, at }, [
      { ...entry, action: 'reports.edit-generated', before: { ...before }, after: { ...before, name, description } },
    ]);
  });
}

/** Removes a report; one that is still being made ends empty. Throws NOT_FOUND. */
export async function removeGenerated(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = headOf(await requireGenerated(trx, actor, id));
    await trx.deleteFrom('generated_reports').where('id', '=', id).execute();
    const entry = { entity: 'generated_report', entityId: id, entityName: before.name, companyId: before.company_id };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, action: 'reports.remove-generated', before: { ...before }, after: null }]);
  });
}
