import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { JobKind } from '../../domain/jobs/types.ts';
import { measureCollected, variablesIn } from './collected.ts';
import { measure } from './measure.ts';
import { REPORT_KIND, type Parameter } from './types.ts';

const ROWS_PER_INSERT = 100;

export interface ReportInput {
  generated_id: number;
}

async function findCompanies(ctx: Context, trx: Trx, devices: readonly Row<'devices'>[]) {
  const ids = [...new Set(devices.map(({ company_id }) => company_id))];
  const rows = await trx.selectFrom('companies').select(['id', 'name', 'path']).where('id', 'in', ctx.database.tools.idList(ids)).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Adds what these devices sent and received to the days of their companies. */
async function addDays(
  trx: Trx,
  generatedId: number,
  given: readonly { company_id: number; day: number; sent: number; received: number }[],
) {
  const sums = new Map<string, { generated_id: number; company_id: number; day: number; sent: number; received: number }>();
  for (const { company_id, day, sent, received } of given) {
    const sum = sums.get(`${company_id} ${day}`) ?? { generated_id: generatedId, company_id, day, sent: 0, received: 0 };
    sums.set(`${company_id} ${day}`, { ...sum, sent: sum.sent + sent, received: sum.received + received });
  }
  const rows = [...sums.values()].toSorted((a, b) => a.company_id - b.company_id || a.day - b.day);
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    await trx
      .insertInto('report_days')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict.columns(['generated_id', 'company_id', 'day']).doUpdateSet({
          sent: sql<number>`report_days.sent + excluded.sent`,
          received: sql<number>`report_days.received + excluded.received`,
        }),
      )
      .execute();
}

/** Makes a report: each batch of devices adds its rows. A device that is in the report already is left as it is. */
export const reportKind: JobKind<ReportInput> = {
  name: REPORT_KIND,
  permission: 'create_reports',
  isRoutine: true,
  skipReason: () => undefined,
  async created(trx, job) {
    const input: ReportInput = JSON.parse(job.input);
    await trx.updateTable('generated_reports').set({ job_id: job.id }).where('id', '=', input.generated_id).execute();
  },
  runs: {
    on: 'server',
    async run(trx, { ctx, input, devices }) {
      const report = await trx.selectFrom('generated_reports').selectAll().where('id', '=', input.generated_id).executeTakeFirst();
      if (!report) return;
      const measured = await measure(trx, devices, {
        ctx,
        generatedId: report.id,
        parameters: new Set(JSON.parse(report.parameters) as Parameter[]),
        period: { start: report.starts_at, end: report.ends_at },
        companies: await findCompanies(ctx, trx, devices),
      });
      const values = await measureCollected(ctx, trx, devices, {
        ...{ id: report.id, variables: variablesIn(report) },
        ...{ start: report.starts_at, end: report.ends_at },
      });
      for (let start = 0; start < values.length; start += ROWS_PER_INSERT)
        await trx
          .insertInto('report_values')
          .values(values.slice(start, start + ROWS_PER_INSERT))
          .onConflict((conflict) => conflict.columns(['generated_id', 'device_id', 'metric']).doNothing())
          .execute();
      const added = new Set<number>();
      for (let start = 0; start < measured.length; start += ROWS_PER_INSERT) {
        const rows = await trx
          .insertInto('report_devices')
          .values(measured.slice(start, start + ROWS_PER_INSERT).map(({ row }) => row))
          .onConflict((conflict) => conflict.columns(['generated_id', 'device_id']).doNothing())
          .returning('device_id')
          .execute();
        for (const { device_id } of rows) added.add(device_id);
      }
      await addDays(
        trx,
        report.id,
        measured.flatMap(({ row, days }) => (added.has(row.device_id) ? days.map((day) => ({ ...day, company_id: row.company_id })) : [])),
      );
    },
  },
};
