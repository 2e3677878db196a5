import { sql } from 'kysely';
import type { Company } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { NOTHING_HELD, sumHeld } from '../../domain/credit-sums.ts';
import type { Db } from '../../db/schema.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { presentCompany, type CompanyRow } from './present.ts';
import { idsIn } from './subtree.ts';

const ONLINE = 1;

interface BelowCount {
  devices: number;
  online: number;
}

/** How many devices these companies have with all below them, and how many of those are online. One read for a page of companies. */
async function countDevicesBelow(db: Db, actor: Actor, rows: readonly CompanyRow[]): Promise<Map<number, BelowCount>> {
  const counts = new Map(rows.map(({ id }): [number, BelowCount] => [id, { devices: 0, online: 0 }]));
  if (rows.length === 0) return counts;
  const below = sql<number>`(select below.id from companies as top
    inner join companies as below on below.path >= top.path and below.path < substr(top.path, 1, length(top.path) - 1) || '0'
    where top.id in (${sql.join(rows.map(({ id }) => id))}))`;
  const found = await db
    .selectFrom('companies')
    .innerJoin('devices', 'devices.company_id', 'companies.id')
    .where(isVisible(actor, 'companies'))
    .where('companies.id', 'in', below)
    .groupBy(['companies.id', 'companies.path'])
    .select([
      'companies.path',
      sql<number>`count(*)`.as('total'),
      sql<number>`sum(case when devices.status = ${ONLINE} then 1 else 0 end)`.as('online'),
    ])
    .execute();
  for (const { path, total, online } of found)
    for (const id of idsIn(path)) {
      const count = counts.get(id);
      if (!count) continue;
      count.devices += Number(total);
      count.online += Number(online);
    }
  return counts;
}

/** Companies as the actor sees them, with what each has itself of credits, packs and data, as far as the actor may know. */
export async function withBalances(ctx: Context, actor: Actor, rows: readonly CompanyRow[]): Promise<Company[]> {
  const seesCredits = can(actor, 'view_credits');
  const seesData = can(actor, 'view_company_data_history');
  const ids = rows.map((row) => row.id);
  const held = await sumHeld(ctx.reads, seesCredits || seesData ? ids : []);
  const below = actor.scope === 'company' ? new Map<number, BelowCount>() : await countDevicesBelow(ctx.reads, actor, rows);
  return rows.map((row) => {
    const devices = below.get(row.id);
    const { credits, packs, data } = held.get(row.id) ?? NOTHING_HELD;
    return {
      ...presentCompany(row, actor),
      ...(devices ? { devices_below: devices.devices, online_below: devices.online } : {}),
      ...(seesCredits ? { credits_left: credits, packs_left: packs } : {}),
      ...(seesData ? { remaining_data: data } : {}),
    };
  });
}
