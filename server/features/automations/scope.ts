import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isOneOf } from '../../kernel/apply-list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

type Scope = Pick<Row<'automations'>, 'id' | 'company_id' | 'applies_to' | 'apply_list'>;

/** Whether a row of `devices` is one that the automation is for: of its company or below it, with one of its tags, or chosen. */
export function isForDevice({ id, company_id, applies_to, apply_list }: Scope): Expression<SqlBool> {
  const isBelow = isWithin(sql.ref('devices.company_id'), [company_id]);
  if (applies_to === 'company') return isBelow;
  const ids =
    applies_to === 'device'
      ? sql`select device_id from automation_devices where automation_id = ${id}`
      : sql`select device_id from device_tags where ${isOneOf(sql.ref('tag_id'), JSON.parse(apply_list) as number[])}`;
  return sql<SqlBool>`${isBelow} and devices.id in (${ids})`;
}

/** The same rule for many: whether a row of `automations`, with its company as `companies`, is for the device of this id, whose company has this path. */
export function appliesToDevice(id: Expression<unknown>, path: Expression<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${path} like companies.path || '%' and (automations.applies_to = 'company'
    or (automations.applies_to = 'device' and exists (select 1 from automation_devices as ad where ad.automation_id = automations.id and ad.device_id = ${id}))
    or (automations.applies_to = 'tag' and exists (select 1 from device_tags as dt where dt.device_id = ${id}
      and ',' || replace(replace(automations.apply_list, '[', ''), ']', '') || ',' like '%,' || dt.tag_id || ',%'))))`;
}

export interface DeviceCounts {
  all: number;
  /** Those for which it is not turned off. */
  active: number;
}

/** How many devices each automation is for, as far as the actor sees them, by the automations' ids. */
export async function countDevices(db: Db, actor: Actor, automations: readonly Scope[]): Promise<Map<number, DeviceCounts>> {
  const counts = new Map<number, DeviceCounts>();
  const known = new Map<string, number>();
  for (const automation of automations) {
    const { id, company_id, applies_to, apply_list } = automation;
    const base = db.selectFrom('devices').where(isVisible(actor, 'devices')).where(isForDevice(automation));
    const count = base.select(({ fn }) => fn.countAll<number>().as('n'));
    // Many automations are for the same devices: those of one company, or of one tag.
    const place = applies_to === 'device' ? `device ${id}` : `${applies_to} ${company_id} ${apply_list}`;
    const all = known.get(place) ?? Number((await count.executeTakeFirstOrThrow()).n);
    known.set(place, all);
    const off = await count
      .innerJoin('automation_devices', 'automation_devices.device_id', 'devices.id')
      .where('automation_devices.automation_id', '=', id)
      .where('automation_devices.is_enabled', '=', 0)
      .executeTakeFirstOrThrow();
    counts.set(id, { all, active: all - Number(off.n) });
  }
  return counts;
}
