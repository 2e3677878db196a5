import { sql, type Expression, type SqlBool } from 'kysely';
import { compareVersions, parseFirmware } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { visibleFiles } from '../../domain/files/visible-files.ts';
import type { ListFilter } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** The list's filter by how the firmware of devices compares with the newest image for them that the actor sees. */
export const FIRMWARE_FILTER = 'firmware_state';
export const FIRMWARE_STATES = ['newest', 'older', 'unknown'] as const;
type FirmwareState = (typeof FIRMWARE_STATES)[number];

// RUTX_R_00.07.14.2 → RUTX: what the vendor names images after.
const FAMILY = /^([A-Za-z0-9]{2,20})_R_/;

type Version = readonly number[];

/** The newest version by what images are for: a model or a family, upper case. */
export function newestVersions(images: readonly { device_model: string | null; version: string | null }[]): Map<string, Version> {
  const newest = new Map<string, Version>();
  for (const { device_model, version } of images) {
    const parsed = device_model === null || version === null ? undefined : parseFirmware(`${device_model}_R_${version}`);
    if (!parsed || device_model === null) continue;
    const known = newest.get(device_model.toUpperCase());
    if (!known || compareVersions(parsed, known) > 0) newest.set(device_model.toUpperCase(), parsed);
  }
  return newest;
}

/** How a firmware compares with the newest image for its model or its family. Pure. */
export function firmwareStateOf(
  { model, firmware }: { model: string; firmware: string },
  newest: ReadonlyMap<string, Version>,
): FirmwareState {
  const present = parseFirmware(firmware);
  const family = FAMILY.exec(firmware)?.[1] ?? '';
  const known = [newest.get(model.trim().toUpperCase()), newest.get(family.toUpperCase())].flatMap((version) => (version ? [version] : []));
  const best = known.toSorted((a, b) => compareVersions(b, a))[0];
  if (!present || !best) return 'unknown';
  return compareVersions(present, best) >= 0 ? 'newest' : 'older';
}

/** The conditions of such filters: judged once for each pair of model and firmware that the actor's devices have. */
export async function firmwareConditions(ctx: Context, actor: Actor, filters: readonly ListFilter[]): Promise<Expression<SqlBool>[]> {
  if (filters.length === 0) return [];
  const { tools, longReads } = ctx.database;
  const images = await ctx.reads
    .selectFrom('files')
    .select(['files.device_model', 'files.version'])
    .where('files.type', 'in', ['firmware', 'global_firmware'])
    .where('files.version', 'is not', null)
    .where(visibleFiles(actor))
    .distinct()
    .execute();
  const newest = newestVersions(images);
  const query = sql<{ model: string; firmware: string }>`select distinct devices.model as model, devices.firmware as firmware
    from devices where ${isVisible(actor, 'devices')}`;
  const kinds = await longReads.rows(query.compile(ctx.reads));
  return filters.map(({ values, isNegated }) => {
    const chosen = kinds.filter((kind) => values.includes(firmwareStateOf(kind, newest)) !== isNegated);
    const pairs = chosen.map(({ model, firmware }) => [model, firmware]);
    return sql<SqlBool>`(devices.model, devices.firmware) in (select item.value ->> 0, item.value ->> 1 from ${tools.jsonRows(pairs)})`;
  });
}
