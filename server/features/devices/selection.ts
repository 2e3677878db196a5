import type { SelectionInput } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { AppError, NotFound } from '../../kernel/errors.ts';
import type { ResolvedSelection } from '../../domain/jobs/selection.ts';
import { parseListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { deviceRules } from './columns.ts';
import { matchDevices, sortedIds } from './match.ts';

// What says which page of the list was looked at, and how, does not say which devices match.
const PAGE_PARAMETERS = new Set(['limit', 'offset', 'sort', 'fields']);

async function requireVisible(ctx: Context, actor: Actor, ids: readonly number[]): Promise<number[]> {
  const rows = await ctx.reads
    .selectFrom('devices')
    .select('devices.id')
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  const visible = new Set(rows.map((row) => row.id));
  const missing = ids.findIndex((id) => !visible.has(id));
  if (missing !== -1) throw new NotFound({}, { source: `device_id.${missing}` });
  return [...visible].sort((a, b) => a - b);
}

function asSelectionError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const [first, ...rest] = error.items.map((item) => ({ ...item, source: `selection.query${item.source ? `.${item.source}` : ''}` }));
  return first ? new AppError([{ ...first, code: 'INVALID_FIELD' }, ...rest]) : error;
}

/** The devices of a selection as the actor sees them now; see SelectionResolver. */
export async function resolveDevices(ctx: Context, actor: Actor, input: SelectionInput): Promise<ResolvedSelection> {
  if (input.device_id) return { ids: await requireVisible(ctx, actor, input.device_id), seen: null };
  if (!input.selection) return { ids: [], seen: null };
  const raw = Object.fromEntries(Object.entries(input.selection.query).filter(([key]) => !PAGE_PARAMETERS.has(key)));
  try {
    const match = await matchDevices(ctx, actor, parseListQuery(deviceRules, actor, raw));
    const query = sortedIds(match, [{ key: 'id', isDescending: false }]);
    return { ids: await ctx.database.longReads.numbers(query.compile(ctx.reads)), seen: input.selection.count };
  } catch (error) {
    throw asSelectionError(error);
  }
}
