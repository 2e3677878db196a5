import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { SECOND, wireTime } from '../../kernel/clock.ts';
import { emptyState, evaluate } from './engine.ts';
import { valuesOf } from './parameters.ts';
import { readServerValues } from './server-values.ts';
import { createBands } from '../../domain/devices/usual-band.ts';
import { bandValues, parametersOf, ruleOf, unusualOf } from './stored-rule.ts';
import type { Evaluated, State } from './types.ts';

/** Why an automation has or has not acted on a device: each condition with the value of now, and what it waits for. */
export interface Explanation {
  enabled: boolean;
  conditions: Evaluated[];
  /** Branches that hold, since when, and whether they were acted on. */
  branches: { branch: string; since: string | null; acted: boolean }[];
  /** When it may act at the earliest, although nothing more is reported. */
  due_at: string | null;
  last_triggered_at: string | null;
  /** Until when the device is left alone after it was acted on. */
  quiet_until: string | null;
  period_triggered_count: number;
  period_trigger_limit: number | null;
}

/** Evaluates an automation for a device as it is now, without acting. The caller has shown both to the actor. */
export async function explain(ctx: Context, automation: Row<'automations'>, device: Row<'devices'>): Promise<Explanation> {
  const now = ctx.clock.now();
  const rule = ruleOf(automation);
  const row = await ctx.reads
    .selectFrom('automation_devices')
    .selectAll()
    .where('automation_id', '=', automation.id)
    .where('device_id', '=', device.id)
    .executeTakeFirst();
  const state: State = row ? (JSON.parse(row.state) as State) : emptyState();
  const unusual = unusualOf(rule);
  const bandFor = await createBands(ctx).read(ctx.reads, [device.id], unusual);
  const values = {
    ...valuesOf(parametersOf(rule), { row: device, at: now }),
    ...bandValues(unusual, (metric) => bandFor(device.id, metric)),
    ...(await readServerValues(ctx, ctx.reads, [device.id], [...parametersOf(rule)])).get(device.id),
  };
  const outcome = evaluate(rule, state, values, now, { isReport: false });
  const quiet = state.lastFiredAt === undefined ? 0 : state.lastFiredAt + rule.cooldownSeconds * SECOND;
  return {
    enabled: automation.is_enabled === 1 && row?.is_enabled !== 0,
    conditions: outcome.evaluated,
    branches: Object.entries(outcome.state.branches)
      .filter(([, { since }]) => since !== undefined)
      .map(([branch, { since, fired }]) => ({ branch, since: wireTime(since ?? null), acted: fired === true })),
    due_at: wireTime(outcome.dueAt ?? null),
    last_triggered_at: wireTime(row?.last_triggered_at ?? null),
    quiet_until: quiet > now ? wireTime(quiet) : null,
    period_triggered_count: outcome.state.periodCount ?? 0,
    period_trigger_limit: rule.limit,
  };
}
