import { sql, type Expression, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { firmwareStateOf, newestVersions } from '../../domain/devices/firmware-state.ts';
import { visibleFiles } from '../../domain/files/visible-files.ts';
import type { ListFilter } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** The list's filter by how the firmware of devices compares with the newest image for them that the actor sees. */
export const FIRMWARE_FILTER = 'firmware_state';
export { FIRMWARE_STATES } from '../../domain/devices/firmware-state.ts';

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
