import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { nextOpening, type Opening } from './opening.ts';

/** What decides which windows a device has. */
export interface WindowDevice {
  id: number;
  /** Path of its company. */
  company_path: string;
  /** As it reports it. */
  timezone: string | null;
}

/** The window of a device that is open, or opens next. */
export interface DeviceOpening extends Opening {
  name: string;
}

type WindowRow = Row<'maintenance_windows'> & { path: string };

/** Whether any maintenance window is in force at all. */
export async function hasWindows(db: Db): Promise<boolean> {
  return (await db.selectFrom('maintenance_windows').select('id').where('is_active', '=', 1).limit(1).executeTakeFirst()) !== undefined;
}

const companyIdsOf = (path: string): number[] => path.split('/').filter(Boolean).map(Number).filter(Number.isInteger);

async function tagsOf(ctx: Pick<Context, 'database'>, db: Db, deviceIds: readonly number[], tagIds: readonly number[]) {
  const tags = new Map<number, Set<number>>();
  if (tagIds.length === 0) return tags;
  const rows = await db
    .selectFrom('device_tags')
    .selectAll()
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .where('tag_id', 'in', [...tagIds])
    .execute();
  for (const { device_id, tag_id } of rows) tags.set(device_id, (tags.get(device_id) ?? new Set()).add(tag_id));
  return tags;
}

/** Those that are nearest to a device: its own, else those of its tags, else those of the nearest company that has any. */
function nearest(device: WindowDevice, windows: readonly (WindowRow & { ids: ReadonlySet<number> })[], tags: ReadonlySet<number>) {
  const above = windows.filter(({ path }) => device.company_path.startsWith(path));
  const own = above.filter(({ applies_to, ids }) => applies_to === 'device' && ids.has(device.id));
  if (own.length > 0) return own;
  const tagged = above.filter(({ applies_to, ids }) => applies_to === 'tag' && [...ids].some((id) => tags.has(id)));
  if (tagged.length > 0) return tagged;
  const ofCompanies = above.filter(({ applies_to }) => applies_to === 'company');
  const depth = Math.max(0, ...ofCompanies.map(({ path }) => path.length));
  return ofCompanies.filter(({ path }) => path.length === depth);
}

/**
 * The opening that lasts at `at` or comes next, by device; devices without a maintenance window are not in it. Nearest wins: a device's own windows,
 * else those of its tags, else those of the nearest company above it; several at the same place add up.
 */
export async function deviceOpenings(
  ctx: Pick<Context, 'database'>,
  db: Db,
  devices: readonly WindowDevice[],
  at: number,
): Promise<Map<number, DeviceOpening>> {
  const openings = new Map<number, DeviceOpening>();
  const companyIds = [...new Set(devices.flatMap(({ company_path }) => companyIdsOf(company_path)))];
  if (companyIds.length === 0) return openings;
  const rows = await db
    .selectFrom('maintenance_windows')
    .innerJoin('companies', 'companies.id', 'maintenance_windows.company_id')
    .selectAll('maintenance_windows')
    .select('companies.path')
    .where('maintenance_windows.is_active', '=', 1)
    .where('maintenance_windows.company_id', 'in', ctx.database.tools.idList(companyIds))
    .execute();
  if (rows.length === 0) return openings;
  const windows = rows.map((row) => ({ ...row, ids: new Set(JSON.parse(row.apply_list) as number[]) }));
  const tagIds = new Set(windows.flatMap(({ applies_to, ids }) => (applies_to === 'tag' ? [...ids] : [])));
  const tags = await tagsOf(
    ctx,
    db,
    devices.map(({ id }) => id),
    [...tagIds],
  );
  const known = new Map<string, Opening | undefined>();
  const openingOf = (window: WindowRow, device: WindowDevice): Opening | undefined => {
    const timezone = window.uses_device_time === 1 ? (device.timezone ?? window.timezone) : window.timezone;
    const key = `${window.id} ${timezone}`;
    if (!known.has(key))
      known.set(key, nextOpening({ days: JSON.parse(window.days), from: window.time_from, to: window.time_to, timezone }, at));
    return known.get(key);
  };
  for (const device of devices) {
    for (const window of nearest(device, windows, tags.get(device.id) ?? new Set())) {
      const opening = openingOf(window, device);
      const earlier = openings.get(device.id);
      if (opening && (!earlier || opening.from < earlier.from)) openings.set(device.id, { ...opening, name: window.name });
    }
  }
  return openings;
}
