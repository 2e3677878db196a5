import type { Context } from '../../context.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import { editAutomation, getAutomation, requireAutomation, type AutomationBody } from './service.ts';
import { ruleOf } from './stored-rule.ts';
import type { Branch, Rule } from './types.ts';

/** A rule that an automation has or had, as the wire shows it. */
export interface AutomationVersion {
  version: number;
  is_current: boolean;
  user_name: string;
  created_at: string;
  delay_duration: number;
  delay_repetitions_count: number;
  cooldown_duration: number;
  recovery_duration: number | null;
  period: Rule['period'];
  period_trigger_limit: number | null;
  conditions_body: readonly Branch[];
}

const settingsOf = (rule: Rule) => ({
  delay_duration: rule.delaySeconds,
  delay_repetitions_count: rule.delayCount,
  cooldown_duration: rule.cooldownSeconds,
  recovery_duration: rule.recoverySeconds ?? null,
  period: rule.period,
  period_trigger_limit: rule.limit,
  conditions_body: rule.branches,
});

/** The rules that an automation has had, the newest first. Throws NOT_FOUND. */
export async function listVersions(ctx: Context, actor: Actor, id: number): Promise<AutomationVersion[]> {
  const automation = await requireAutomation(ctx.reads, actor, id);
  const rows = await ctx.reads
    .selectFrom('automation_versions')
    .selectAll()
    .where('automation_id', '=', id)
    .orderBy('version', 'desc')
    .execute();
  return rows.map((row) => ({
    version: row.version,
    is_current: row.version === automation.version,
    user_name: row.user_name,
    created_at: wireTime(row.created_at),
    ...settingsOf(ruleOf(row)),
  }));
}

/**
 * Gives an automation the rule of a former version, which becomes its newest one; it then acts with the rights of the person who restored it. Throws NOT_FOUND, and
 * INVALID_FIELD where something that the rule names is gone.
 */
export async function restoreVersion(ctx: Context, caller: Caller, id: number, version: number): Promise<void> {
  const automation = await getAutomation(ctx, caller.actor, id);
  const row = await ctx.reads
    .selectFrom('automation_versions')
    .selectAll()
    .where('automation_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (!row) throw new NotFound({}, { source: 'version' });
  // Chosen devices stay as they are: there may be more than the record of the automation names.
  const { name, description, applies_to, tag_ids, enabled } = automation;
  const { period_trigger_limit: limit, recovery_duration: recovery, conditions_body, ...settings } = settingsOf(ruleOf(row));
  const body = {
    ...{ name, applies_to, enabled, ...settings, conditions_body: [...conditions_body] },
    ...(description === null ? {} : { description }),
    ...(limit === null ? {} : { period_trigger_limit: limit }),
    ...(recovery === null ? {} : { recovery_duration: recovery }),
    ...(applies_to === 'tag' ? { tag_ids } : {}),
  };
  await editAutomation(ctx, caller, id, body as unknown as AutomationBody);
}
