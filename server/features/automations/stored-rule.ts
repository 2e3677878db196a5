import type { Row } from '../../db/schema.ts';
import { allBranches } from './engine.ts';
import type { Rule } from './types.ts';

/** An automation as it is evaluated: its rule read, and what it depends on. */
export interface LiveAutomation {
  row: Row<'automations'> & { company_path: string };
  rule: Rule;
  parameters: ReadonlySet<string>;
  tagIds: ReadonlySet<number>;
}

/** The parameters that the conditions of a rule speak of. */
export function parametersOf(rule: Rule): Set<string> {
  return new Set(allBranches(rule.branches).flatMap(({ branch }) => (branch.expression ?? []).map(({ parameter }) => parameter)));
}

export const ruleOf = (row: Pick<Row<'automations'>, 'rule'>): Rule => JSON.parse(row.rule) as Rule;

export function liveAutomation(row: LiveAutomation['row']): LiveAutomation {
  const rule = ruleOf(row);
  const tagIds = row.applies_to === 'tag' ? (JSON.parse(row.apply_list) as number[]) : [];
  return { row, rule, parameters: parametersOf(rule), tagIds: new Set(tagIds) };
}
