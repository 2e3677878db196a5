import type { Automation, AutomationLog } from '../../../schemas/_generated/contract.ts';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { allBranches } from './branches.ts';
import { ruleOf } from './stored-rule.ts';
import type { Action, Branch, Condition } from './types.ts';

/** A branch as programs of the public API read it: it and its actions have a name, and every comparison says how it is joined with the next one. */
interface TaggedBranch {
  type: Branch['type'];
  tag: string;
  expression: (Condition & { joins_with: '&&' | '||' })[];
  actions: (Action & { tag: string })[];
  conditions: TaggedBranch[];
}

const branchSchema = (conditions: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['type', 'tag', 'expression', 'actions', 'conditions'],
  properties: {
    type: { type: 'string', enum: ['if', 'else'] },
    tag: { type: 'string', description: 'The name of the branch, `cond_0`; branches are counted from the top.' },
    expression: {
      type: 'array',
      items: {
        type: 'object',
        required: ['parameter', 'operator', 'joins_with'],
        properties: {
          parameter: { type: 'string' },
          operator: { type: 'string' },
          value: { type: 'string' },
          joins_with: { type: 'string', enum: ['&&', '||'] },
          times: { type: 'integer' },
          of: { type: 'integer' },
          tolerance: { type: 'number' },
        },
      },
    },
    actions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'tag'],
        properties: {
          name: { type: 'string' },
          options: { type: 'object', additionalProperties: true },
          tag: { type: 'string', description: 'The name of the action, `cond_0.SendEmail.0`.' },
        },
      },
    },
    conditions,
  },
});
const noBranches: JsonSchema = { type: 'array', maxItems: 0, items: { type: 'object', additionalProperties: true } };
const branchesSchema: JsonSchema = [1, 2, 3].reduce<JsonSchema>((inner) => ({ type: 'array', items: branchSchema(inner) }), noBranches);

/** The members of an automation that programs read as another type than the console. */
export const automationTypes: Readonly<Record<string, JsonSchema>> = {
  automation_version: { type: 'string' },
  conditions_body_version: { type: 'string' },
  conditions_body: branchesSchema,
};

const logTypes = {
  evaluation_id: { type: 'string' },
  mac: { type: 'string' },
} satisfies Record<string, JsonSchema>;
const rule: JsonSchema = { anyOf: [branchesSchema, { type: 'null' }] };

/** The members that programs read of an entry in the list of what an automation did, and of a single one. */
export const logListTypes: Readonly<Record<string, JsonSchema>> = { ...logTypes, conditions_body: rule };
export const logRecordTypes: Readonly<Record<string, JsonSchema>> = { ...logTypes, conditions: rule };

/** Branches with their names; the same rule always gets the same ones. */
export function tagBranches(branches: readonly Branch[]): TaggedBranch[] {
  const tags = new Map(allBranches(branches).map(({ branch }, index) => [branch, `cond_${index}`]));
  const tagged = (branch: Branch): TaggedBranch => {
    const tag = tags.get(branch) ?? '';
    return {
      type: branch.type,
      tag,
      expression: (branch.expression ?? []).map((condition) => ({ ...condition, joins_with: condition.joins_with ?? '&&' })),
      actions: (branch.actions ?? []).map((action, index) => ({ ...action, tag: `${tag}.${action.name}.${index}` })),
      conditions: (branch.conditions ?? []).map(tagged),
    };
  };
  return branches.map(tagged);
}

/** An automation as programs of the public API read it. */
export function documentAutomation({ automation_version, conditions_body_version, conditions_body, ...automation }: Automation) {
  return {
    ...automation,
    automation_version: String(automation_version),
    conditions_body_version: String(conditions_body_version),
    conditions_body: tagBranches(conditions_body as unknown as readonly Branch[]),
  };
}

/** The branch of each comparison of a rule, in the order in which they are evaluated. */
function tagsOfComparisons(branches: readonly Branch[]): string[] {
  return allBranches(branches).flatMap(({ branch }, index) =>
    branch.type === 'if' ? (branch.expression ?? []).map(() => `cond_${index}`) : [],
  );
}

/**
 * What automations did, as programs of the public API read it: with the address of the device, and with the rule as it was then (null where that version is
 * kept no longer), to whose branches the keys of the comparisons lead.
 */
async function documentLogs(ctx: Pick<Context, 'reads' | 'database'>, actor: Actor, logs: readonly AutomationLog[]) {
  if (logs.length === 0) return [];
  const { tools } = ctx.database;
  const [devices, versions] = await Promise.all([
    ctx.reads
      .selectFrom('devices')
      .select(['id', 'mac'])
      .where('id', 'in', tools.idList(logs.map(({ device_id }) => device_id)))
      .where(isVisible(actor, 'devices'))
      .execute(),
    ctx.reads
      .selectFrom('automation_versions')
      .innerJoin('automations', 'automations.id', 'automation_versions.automation_id')
      .select(['automation_versions.automation_id', 'automation_versions.version', 'automation_versions.rule'])
      .where('automation_versions.automation_id', 'in', tools.idList(logs.map(({ automation_id }) => automation_id)))
      .where('automation_versions.version', 'in', tools.idList(logs.map(({ conditions_body_version: version }) => version)))
      .where(isVisible(actor, 'automations'))
      .execute(),
  ]);
  const macs = new Map(devices.map(({ id, mac }) => [id, mac]));
  const rules = new Map(versions.map((row) => [`${row.automation_id} ${row.version}`, ruleOf(row).branches]));
  return logs.map((log) => {
    const branches = rules.get(`${log.automation_id} ${log.conditions_body_version}`);
    const tags = branches ? tagsOfComparisons(branches) : [];
    const isSameRule = tags.length === log.evaluated_conditions.length;
    return {
      record: {
        ...log,
        evaluation_id: String(log.evaluation_id),
        mac: macs.get(log.device_id) ?? '',
        evaluated_conditions: log.evaluated_conditions.map((comparison, index) => ({
          ...comparison,
          key: (isSameRule ? tags[index] : undefined) ?? comparison.key,
        })),
      },
      branches: branches ? tagBranches(branches) : null,
    };
  });
}

/** The list, with each rule as `conditions_body`. */
export async function documentLogList(ctx: Pick<Context, 'reads' | 'database'>, actor: Actor, logs: readonly AutomationLog[]) {
  return (await documentLogs(ctx, actor, logs)).map(({ record, branches }) => ({ ...record, conditions_body: branches }));
}

/** The same as single entries, with each rule as `conditions`. */
export async function documentLogRecords(ctx: Pick<Context, 'reads' | 'database'>, actor: Actor, logs: readonly AutomationLog[]) {
  return (await documentLogs(ctx, actor, logs)).map(({ record, branches }) => ({ ...record, conditions: branches }));
}
