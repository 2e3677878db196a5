import type { PlanSpot } from '../../../schemas/kit/devices/floor-plan.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** The plan of a floor, with the devices on it that the reader sees. */
export interface FloorPlan {
  image_id: number | null;
  spots: (PlanSpot & { name: string; status: number | null })[];
}

async function requireSite(db: Db, actor: Actor, id: number): Promise<Row<'sites'>> {
  const row = await db.selectFrom('sites').selectAll().where('id', '=', id).where(isVisible(actor, 'sites')).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

// Only this file writes the column.
const spotsOf = ({ plan_spots }: Row<'sites'>): PlanSpot[] => JSON.parse(plan_spots) as PlanSpot[];

/** Devices at the site that the actor sees. */
async function devicesAt(db: Db, actor: Actor, siteId: number) {
  const rows = await db
    .selectFrom('device_sites')
    .innerJoin('devices', 'devices.id', 'device_sites.device_id')
    .select(['devices.id', 'devices.name', 'devices.status'])
    .where('device_sites.site_id', '=', siteId)
    .where(isVisible(actor, 'devices'))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Devices that left the site are not on its plan. Throws NOT_FOUND. */
export async function readFloorPlan({ reads }: Context, actor: Actor, id: number): Promise<FloorPlan> {
  const site = await requireSite(reads, actor, id);
  const devices = await devicesAt(reads, actor, id);
  const spots = spotsOf(site).flatMap((spot) => {
    const device = devices.get(spot.device_id);
    return device ? [{ ...spot, name: device.name, status: device.status }] : [];
  });
  return { image_id: site.plan_image_id, spots };
}

/** Changes the plan; devices on it that the actor does not see stay where they are. Throws NOT_FOUND, INVALID_FIELD for a device twice. */
export async function changeFloorPlan(
  ctx: Context,
  { actor, origin }: Caller,
  id: number,
  { image_id: imageId, spots }: { image_id: number | null; spots: PlanSpot[] },
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireSite(trx, actor, id);
    if (imageId !== null && imageId !== before.plan_image_id) {
      const image = await trx
        .selectFrom('images')
        .select('id')
        .where('id', '=', imageId)
        .where(isVisible(actor, 'images'))
        .executeTakeFirst();
      if (!image) throw new NotFound({}, { source: 'image_id' });
    }
    const devices = await devicesAt(trx, actor, id);
    const seen = new Set<number>();
    for (const [index, { device_id }] of spots.entries()) {
      if (!devices.has(device_id)) throw new NotFound({}, { source: `spots.${index}.device_id` });
      if (seen.has(device_id)) throw new InvalidFields([{ source: `spots.${index}.device_id`, message: 'A device is on the plan once.' }]);
      seen.add(device_id);
    }
    const unseen = spotsOf(before).filter(({ device_id }) => !devices.has(device_id));
    const values = { plan_image_id: imageId, plan_spots: JSON.stringify([...unseen, ...spots]), updated_at: at };
    await trx.updateTable('sites').set(values).where('id', '=', id).execute();
    const entry = { action: 'sites.plan', entity: 'site', entityId: id, entityName: before.name, companyId: before.company_id };
    const kept = ({ plan_image_id, plan_spots }: Pick<Row<'sites'>, 'plan_image_id' | 'plan_spots'>) => ({ plan_image_id, plan_spots });
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: kept(before), after: kept(values) }]);
  });
}
