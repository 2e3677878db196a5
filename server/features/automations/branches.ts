import { RULE_MOMENTS } from '../../../schemas/kit/form/rule-parameters.ts';
import type { Branch, Condition } from './types.ts';

/** The branch with a key, `0.1`. */
export function branchAt(branches: readonly Branch[], key: string): Branch | undefined {
  const [first, ...rest] = key.split('.').map(Number);
  return rest.reduce<Branch | undefined>((branch, index) => branch?.conditions?.[index], branches[first ?? -1]);
}

/** Every branch of a rule with its key, in order. */
export function allBranches(branches: readonly Branch[], prefix = ''): { key: string; branch: Branch; depth: number }[] {
  return branches.flatMap((branch, index) => {
    const key = `${prefix}${index}`;
    return [{ key, branch, depth: key.split('.').length }, ...allBranches(branch.conditions ?? [], `${key}.`)];
  });
}

/** Whether a branch, or one that it is inside of, waits for an event. */
export function isMoment(branches: readonly Branch[], key: string): boolean {
  const parts = key.split('.');
  return parts.some((_part, index) => {
    const expression = branchAt(branches, parts.slice(0, index + 1).join('.'))?.expression ?? [];
    return expression.some(({ parameter }) => RULE_MOMENTS.has(parameter));
  });
}

const conditionsByRule = new WeakMap<readonly Branch[], readonly Condition[]>();

/** Every condition of a rule. */
export function conditionsOf(branches: readonly Branch[]): readonly Condition[] {
  const known = conditionsByRule.get(branches) ?? allBranches(branches).flatMap(({ branch }) => branch.expression ?? []);
  conditionsByRule.set(branches, known);
  return known;
}
