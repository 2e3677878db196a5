import { sql, type Expression, type SqlBool } from 'kysely';
import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { ListFilter } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** The list's filter by what devices can do: `supports=wifi`. */
export const CAPABILITY_FILTER = 'supports';

/** The conditions of such filters: judged once for each pair of model and firmware that the actor's devices have. */
export async function capabilityConditions(ctx: Context, actor: Actor, filters: readonly ListFilter[]): Promise<Expression<SqlBool>[]> {
  if (filters.length === 0) return [];
  const { tools, longReads } = ctx.database;
  const query = sql<{ model: string; firmware: string }>`select distinct devices.model as model, devices.firmware as firmware
    from devices where ${isVisible(actor, 'devices')}`;
  const kinds = await longReads.rows(query.compile(ctx.reads));
  return filters.map(({ values, isNegated }) => {
    const able = kinds.filter((kind) => values.some((feature) => supports(kind, feature)) !== isNegated);
    const pairs = able.map(({ model, firmware }) => [model, firmware]);
    return sql<SqlBool>`(devices.model, devices.firmware) in (select item.value ->> 0, item.value ->> 1 from ${tools.jsonRows(pairs)})`;
  });
}
