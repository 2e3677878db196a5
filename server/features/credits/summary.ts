import { sql } from 'kysely';
import { SAME_WEEKDAYS_DAYS, usedUpOn } from '../../../schemas/kit/devices/usage-forecast.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { DATA_BYTES_TYPE_ID, getCreditType, periodEnd, presentCreditType } from './types.ts';

interface Sum {
  credit_type_id: number;
  left: number;
  total: number;
}

function sumAccounts(db: Db, actor: Actor, companyId: number | undefined): Promise<Sum[]> {
  const query = db
    .selectFrom('credit_accounts')
    .select([
      'credit_type_id',
      sql<number>`cast(sum(balance) as bigint)`.as('left'),
      sql<number>`cast(sum(received) as bigint)`.as('total'),
    ])
    .where('kind', '=', 'company')
    .where(isVisible(actor, 'credit_accounts'))
    .groupBy('credit_type_id')
    .orderBy('credit_type_id');
  return (companyId === undefined ? query : query.where('credit_accounts.company_id', '=', companyId)).execute();
}

/**
 * When the first device that is to be extended would find no credit of its type any more: with n devices and c credits each device is extended c / n
 * times, and the rest goes to those whose period ends first. Answers null where no device is extended. `ends` are sorted.
 */
export function coverageEnd(typeId: number, credits: number, ends: readonly number[]): number | null {
  if (ends.length === 0) return null;
  let end = ends[credits % ends.length] ?? null;
  const rounds = Math.min(Math.floor(credits / ends.length), MOST_ROUNDS);
  for (let round = 0; round < rounds && end !== null; round += 1) end = periodEnd(getCreditType(typeId), end);
  return end;
}

/** A forecast of more than a thousand periods says nothing to anybody. */
const MOST_ROUNDS = 1000;

/** Bytes that were taken off company data, by day (UTC), of the last weeks. */
async function readDataUsed(ctx: Context, actor: Actor, companyId: number | undefined): Promise<Map<number, number>> {
  const day = sql<number>`credit_transfers.created_at - credit_transfers.created_at % ${sql.lit(DAY)}`;
  const query = ctx.reads
    .selectFrom('credit_entries')
    .innerJoin('credit_transfers', 'credit_transfers.id', 'credit_entries.transfer_id')
    .select([day.as('day'), sql<number>`sum(-credit_entries.amount)`.as('bytes')])
    .where('credit_transfers.credit_type_id', '=', DATA_BYTES_TYPE_ID)
    .where('credit_transfers.kind', '=', 'use')
    .where('credit_transfers.created_at', '>=', ctx.clock.now() - (SAME_WEEKDAYS_DAYS + 1) * DAY)
    .where(isVisible(actor, 'credit_entries'))
    .groupBy(day);
  const rows = await (companyId === undefined ? query : query.where('credit_entries.company_id', '=', companyId)).execute();
  return new Map(rows.map((row) => [Number(row.day), Number(row.bytes)]));
}

/** When company data is used up at the present rate, `YYYY-MM-DD`; null: not within a year; undefined: too little is known. */
async function dataUsedUpOn(ctx: Context, actor: Actor, companyId: number | undefined, left: number): Promise<string | null | undefined> {
  const day = usedUpOn(await readDataUsed(ctx, actor, companyId), ctx.clock.now(), left);
  return typeof day === 'number' ? wireTime(day).slice(0, 10) : day;
}

/**
 * What is left in all companies that the actor sees, what their devices use of it, and how long it lasts when nothing else changes; with
 * `company_id` of that company alone. Throws NOT_FOUND.
 */
export async function summarizeCredits(ctx: Context, actor: Actor, { company_id: companyId }: { company_id?: number } = {}) {
  const db = ctx.reads;
  if (companyId !== undefined) await requireCompany(db, actor, companyId, 'company_id');
  const isAsked = sql<boolean>`${companyId === undefined ? sql`1 = 1` : sql`devices.company_id = ${companyId}`}`;
  const sums = await sumAccounts(db, actor, companyId);
  const running = await db
    .selectFrom('device_credits')
    .innerJoin('devices', 'devices.id', 'device_credits.device_id')
    .select(['credit_type_id', 'ends_at', 'auto_extend', 'service'])
    .where('device_credits.state', '=', 'running')
    .where(isVisible(actor, 'devices'))
    .where(isAsked)
    .orderBy('ends_at')
    .execute();
  const { total } = await db
    .selectFrom('devices')
    .select(sql<number>`count(*)`.as('total'))
    .where(isVisible(actor, 'devices'))
    .where(isAsked)
    .executeTakeFirstOrThrow();
  const extended = Map.groupBy(
    running.filter((row) => row.auto_extend === 1),
    (row) => row.credit_type_id,
  );
  const leftOf = (typeId: number): number => sums.find((sum) => sum.credit_type_id === typeId)?.left ?? 0;
  const coverage = [...extended].flatMap(([typeId, rows]) => {
    const end = coverageEnd(
      typeId,
      leftOf(typeId),
      rows.map((row) => row.ends_at ?? 0),
    );
    return end === null ? [] : [{ credit_type_id: typeId, devices: rows.length, end }];
  });
  const credits = sums.filter((sum) => sum.credit_type_id !== DATA_BYTES_TYPE_ID);
  return {
    credits: {
      left: credits.map((sum) => {
        const { title, text_key, payment_type, license_type } = presentCreditType(getCreditType(sum.credit_type_id), actor);
        return {
          credit_type_id: sum.credit_type_id,
          credit_type: license_type,
          credit_type_name: title,
          text_key,
          payment_type,
          credits_left: sum.left,
        };
      }),
      total: credits.map((sum) => ({
        credit_type_id: sum.credit_type_id,
        credit_type: getCreditType(sum.credit_type_id).kind,
        credits_count: sum.total,
      })),
    },
    monitored_device: { monitored: running.filter((row) => row.service === 'management').length, total },
    credit_coverage: coverage.length === 0 ? null : wireTime(Math.min(...coverage.map((entry) => entry.end))),
    coverage: coverage.map(({ end, ...entry }) => ({ ...entry, until: wireTime(end) })),
    remaining_data: leftOf(DATA_BYTES_TYPE_ID),
    // Absent: less than three days are known.
    data_used_up_on: await dataUsedUpOn(ctx, actor, companyId, leftOf(DATA_BYTES_TYPE_ID)),
  };
}
