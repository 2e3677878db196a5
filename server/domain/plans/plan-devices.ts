import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { findUserActor } from '../../kernel/auth/find-actor.ts';
import { Forbidden, NotFound } from '../../kernel/errors.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

/** What runs by itself repeatedly is for so many devices at most, each time. */
const MAX_DEVICES = 10_000;

/** For which devices something runs repeatedly. */
export interface PlanScope {
  company_id: number;
  /** `company`: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  /** Ids of devices or tags, as JSON. */
  apply_list: string;
}

/** The devices that a plan is for now, within its company and what its person sees. */
export async function devicesOfPlan(ctx: Context, actor: Actor, plan: PlanScope): Promise<number[]> {
  const ids = ctx.database.tools.idList(JSON.parse(plan.apply_list) as number[]);
  let query = ctx.reads
    .selectFrom('devices')
    .select('devices.id')
    .where(isVisible(actor, 'devices'))
    .where(isWithin(sql.ref('devices.company_id'), [plan.company_id]))
    .orderBy('devices.id')
    .limit(MAX_DEVICES);
  if (plan.applies_to === 'device') query = query.where('devices.id', 'in', ids);
  if (plan.applies_to === 'tag')
    query = query.where('devices.id', 'in', (tagged) =>
      tagged.selectFrom('device_tags').select('device_tags.device_id').where('device_tags.tag_id', 'in', ids),
    );
  return (await query.execute()).map((row) => row.id);
}

/** Who set up a plan last, with the rights of now; undefined for somebody who is gone or may not sign in any more. */
export async function actorOfPlan(ctx: Context, plan: { created_by: number | null; actor_company_id: number }): Promise<Actor | undefined> {
  if (plan.created_by === null) return undefined;
  return findUserActor(ctx, { userId: plan.created_by, companyId: plan.actor_company_id, onBehalfOf: null });
}

interface Choices {
  device_ids?: readonly number[] | undefined;
  tag_ids?: readonly number[] | undefined;
}

/** Throws NOT_FOUND at the first device or tag that the actor does not see, or that is not of the company or below it. */
export async function assertChoices(db: Db, actor: Actor, companyId: number, { device_ids = [], tag_ids = [] }: Choices): Promise<void> {
  for (const [table, ids, source] of [
    ['devices', device_ids, 'device_ids'],
    ['tags', tag_ids, 'tag_ids'],
  ] as const) {
    if (ids.length === 0) continue;
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('id', 'in', ids)
      .where(isVisible(actor, table))
      .$if(table === 'devices', (query) => query.where(isWithin(sql.ref('devices.company_id'), [companyId])))
      .execute();
    const found = new Set(rows.map((row) => row.id));
    const missing = ids.findIndex((id) => !found.has(id));
    if (missing !== -1) throw new NotFound({}, { source: `${source}.${missing}` });
  }
}

/** Plans run as the person who changed them last: never as an impersonated person, whose consent they would outlive. */
export function assertInPerson(actor: Actor): void {
  if (actor.onBehalfOf !== null) throw new Forbidden({});
}
