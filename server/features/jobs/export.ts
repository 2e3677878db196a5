import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { CsvColumn } from '../../kernel/db/csv.ts';

const columns: CsvColumn[] = [
  { header: 'device_id', kind: 'number' },
  { header: 'device_name', kind: 'text' },
  { header: 'company_name', kind: 'text' },
  { header: 'state', kind: 'text' },
  { header: 'reason', kind: 'text' },
  { header: 'code', kind: 'number' },
  { header: 'message', kind: 'text' },
  { header: 'output', kind: 'text' },
  { header: 'started_at', kind: 'time' },
  { header: 'finished_at', kind: 'time' },
];

/** All targets of a job as CSV, in their order; safe to open in a spreadsheet. */
export function exportTargets(ctx: Context, jobId: number): Readable {
  const query = ctx.reads
    .selectFrom('job_targets')
    .leftJoin('companies', 'companies.id', 'job_targets.company_id')
    .select([
      'job_targets.device_id',
      'job_targets.device_name',
      'companies.name as company_name',
      'job_targets.state',
      'job_targets.reason',
    ])
    .select(['job_targets.code', 'job_targets.message', 'job_targets.output', 'job_targets.started_at', 'job_targets.finished_at'])
    .where('job_targets.job_id', '=', jobId)
    .orderBy('job_targets.id');
  return ctx.database.longReads.table(query.compile(), columns);
}
