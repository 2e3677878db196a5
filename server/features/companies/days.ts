import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Millis } from '../../db/column-types.ts';
import type { Actor } from '../../kernel/actor.ts';
import { DAY } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { devicesCount, usersCount } from './repo.ts';
import { isBelow } from './subtree.ts';
import { sumBytes } from '../../kernel/db/sum-bytes.ts';

/** How many of the days that are kept are shown (docs/behaviour.md section 9). */
const SHOWN_MS = 90 * DAY;

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);
const dayOf = (at: number): number => at - (at % DAY);

/** Writes what each company has now as its row of today; the last writing of a day stays. */
export async function recordDays(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    await sql`insert into company_days (company_id, day, devices, online, users)
      select companies.id, ${dayOf(now)}, ${devicesCount},
        (select count(*) from devices where devices.company_id = companies.id and devices.status = 1),
        ${usersCount}
      from companies where companies.path >= '/'
      on conflict (company_id, day) do update set devices = excluded.devices, online = excluded.online, users = excluded.users`.execute(
      trx,
    );
  });
}

/** The columns of a table of days, summed up by day over a company and all below it that the actor sees, oldest first. Throws NOT_FOUND. */
async function sumByDay(
  ctx: Context,
  actor: Actor,
  { id, table, columns }: { id: number; table: 'company_days' | 'company_traffic'; columns: readonly string[] },
) {
  const company = await requireCompany(ctx.reads, actor, id);
  const read = ctx.reads
    .selectFrom(sql<{ company_id: number; day: Millis }>`${sql.table(table)}`.as('days'))
    .innerJoin('companies', 'companies.id', 'days.company_id')
    .where(isVisible(actor, 'companies'))
    .where(isBelow('companies.path', company.path))
    .where('days.day', '>=', dayOf(ctx.clock.now()) - SHOWN_MS)
    .groupBy('days.day')
    .orderBy('days.day')
    .select('days.day')
    .select(columns.map((key) => sumBytes(`days.${key}`).as(key)));
  const rows = await ctx.database.longReads.rows(read.compile());
  return rows.map(({ day, ...sums }) => ({ day: dateOf(day), ...sums }));
}

/** What a company and all below it that the actor sees had on each day, oldest first. Throws NOT_FOUND. */
export const listDays = (ctx: Context, actor: Actor, id: number) =>
  sumByDay(ctx, actor, { id, table: 'company_days', columns: ['devices', 'online', 'users'] });

/** Bytes that devices of a company and all below it that the actor sees sent and received by day, oldest first; days without any are left out. Throws NOT_FOUND. */
export const listTraffic = (ctx: Context, actor: Actor, id: number) =>
  sumByDay(ctx, actor, { id, table: 'company_traffic', columns: ['sent', 'received'] });
