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

/** The windows that count for each of these devices, with the time zone that they are read in; devices without any are not in it. */
async function windowsOf(
  ctx: Pick<Context, 'database'>,
  db: Db,
  devices: readonly WindowDevice[],
): Promise<Map<number, { window: WindowRow; timezone: string }[]>> {
  const found = new Map<number, { window: WindowRow; timezone: string }[]>();
  const companyIds = [...new Set(devices.flatMap(({ company_path }) => companyIdsOf(company_path)))];
  if (companyIds.length === 0) return found;
  const rows = await db
    .selectFrom('maintenance_windows')
    .innerJoin('companies', 'companies.id', 'maintenance_windows.company_id')
    .selectAll('maintenance_windows')
    .select('companies.path')
    .where('maintenance_windows.is_active', '=', 1)
    .where('maintenance_windows.company_id', 'in', ctx.database.tools.idList(companyIds))
    .execute();
  if (rows.length === 0) return found;
  const windows = rows.map((row) => ({ ...row, ids: new Set(JSON.parse(row.apply_list) as number[]) }));
  const tagIds = new Set(windows.flatMap(({ applies_to, ids }) => (applies_to === 'tag' ? [...ids] : [])));
  const tags = await tagsOf(
    ctx,
    db,
    devices.map(({ id }) => id),
    [...tagIds],
  );
  for (const device of devices) {
    const own = nearest(device, windows, tags.get(device.id) ?? new Set());
    if (own.length === 0) continue;
    const zoneOf = (window: WindowRow): string => (window.uses_device_time === 1 ? (device.timezone ?? window.timezone) : window.timezone);
    found.set(
      device.id,
      own.map((window) => ({ window, timezone: zoneOf(window) })),
    );
  }
  return found;
}

const openingFrom = (window: WindowRow, timezone: string, at: number): Opening | undefined =>
  nextOpening({ days: JSON.parse(window.days), from: window.time_from, to: window.time_to, timezone }, at);

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
  const known = new Map<string, Opening | undefined>();
  for (const [id, own] of await windowsOf(ctx, db, devices)) {
    for (const { window, timezone } of own) {
      const key = `${window.id} ${timezone}`;
      if (!known.has(key)) known.set(key, openingFrom(window, timezone, at));
      const opening = known.get(key);
      const earlier = openings.get(id);
      if (opening && (!earlier || opening.from < earlier.from)) openings.set(id, { ...opening, name: window.name });
    }
  }
  return openings;
}

/** All openings from `start` to before `end`, by device, in their order and without overlaps; devices without a window are not in it. Nearest wins, as above. */
export async function deviceOpeningsWithin(
  ctx: Pick<Context, 'database'>,
  db: Db,
  devices: readonly WindowDevice[],
  { start, end }: { start: number; end: number },
): Promise<Map<number, Opening[]>> {
  const known = new Map<string, Opening[]>();
  const openingsOf = (window: WindowRow, timezone: string): Opening[] => {
    const key = `${window.id} ${timezone}`;
    const former = known.get(key);
    if (former) return former;
    const openings: Opening[] = [];
    for (let next = openingFrom(window, timezone, start); next && next.from < end; next = openingFrom(window, timezone, next.to))
      openings.push({ from: Math.max(next.from, start), to: Math.min(next.to, end) });
    known.set(key, openings);
    return openings;
  };
  const found = await windowsOf(ctx, db, devices);
  return new Map([...found].map(([id, own]) => [id, withoutOverlaps(own.flatMap(({ window, timezone }) => openingsOf(window, timezone)))]));
}

function withoutOverlaps(openings: readonly Opening[]): Opening[] {
  const merged: Opening[] = [];
  for (const opening of openings.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && opening.from <= last.to) last.to = Math.max(last.to, opening.to);
    else merged.push({ ...opening });
  }
  return merged;
}
