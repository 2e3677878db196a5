import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { DAY } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { isBelow } from './subtree.ts';

/** How long a day is kept, and how much of it is shown (docs/behaviour.md section 9). */
const KEPT_MS = 400 * DAY;
const SHOWN_MS = 90 * DAY;

const dayOf = (at: number): number => at - (at % DAY);

/** Writes what each company has now as its row of today; the last writing of a day stays. */
export async function recordDays(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    await sql`insert into company_days (company_id, day, devices, online, users)
      select companies.id, ${dayOf(now)}, counts.devices,
        (select count(*) from devices where devices.company_id = companies.id and devices.status = 1), counts.users
      from companies inner join company_counts as counts on counts.company_id = companies.id where companies.path >= '/'
      on conflict (company_id, day) do update set devices = excluded.devices, online = excluded.online, users = excluded.users`.execute(
      trx,
    );
    await trx
      .deleteFrom('company_days')
      .where('day', '<', now - KEPT_MS)
      .execute();
  });
}

/** What a company and all below it that the actor sees had on each day, oldest first. Throws NOT_FOUND. */
export async function listDays(ctx: Context, actor: Actor, id: number) {
  const company = await requireCompany(ctx.reads, actor, id);
  const rows = await ctx.reads
    .selectFrom('company_days')
    .innerJoin('companies', 'companies.id', 'company_days.company_id')
    .where(isVisible(actor, 'companies'))
    .where(isBelow('companies.path', company.path))
    .where('company_days.day', '>=', dayOf(ctx.clock.now()) - SHOWN_MS)
    .groupBy('company_days.day')
    .orderBy('company_days.day')
    .select('company_days.day')
    .select(
      (['devices', 'online', 'users'] as const).map((key) => sql<number>`cast(sum(${sql.ref(`company_days.${key}`)}) as bigint)`.as(key)),
    )
    .execute();
  return rows.map(({ day, ...counts }) => ({ day: new Date(day).toISOString().slice(0, 10), ...counts }));
}
