import { findIconName, type MenuEntry } from '../../ui/index.ts';
import type { ActionEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { actionLabel, ruleText } from '../table/labels.ts';
import { appliesTo } from './applicability.ts';

/**
 * Actions on one record as menu entries: what does not apply is there, disabled, with the reason; a line parts the dangerous ones. Links to what the
 * record has none of are left out.
 */
export function actionEntries(
  resource: Resource,
  row: Row,
  actions: readonly ActionEntry[],
  onSelect: (action: ActionEntry) => void,
): MenuEntry[] {
  // What can be done comes first, so that a menu never opens on something that cannot; the dangerous ones stay last.
  const rank = (action: ActionEntry) => (action.danger ? 2 : appliesTo(action, row) ? 0 : 1);
  const sorted = actions.filter((action) => leadsSomewhere(action, row)).toSorted((a, b) => rank(a) - rank(b));
  return sorted.map((action, index): MenuEntry => {
    const applies = appliesTo(action, row);
    return {
      id: action.id,
      label: actionLabel(action),
      icon: findIconName(action.icon),
      isDanger: action.danger ?? false,
      hasDivider: action.danger === true && index > 0 && sorted[index - 1]?.danger !== true,
      isDisabled: !applies,
      ...(applies ? {} : { detail: ruleText(resource, action) }),
      ...(action.kind === 'link' ? { to: linkOf(action.to, row) } : { onSelect: () => onSelect(action) }),
    };
  });
}

const PLACE = /\{(\w+)\}/g;

function leadsSomewhere(action: ActionEntry, row: Row): boolean {
  return (
    action.kind !== 'link' || [...action.to.matchAll(PLACE)].every(([, field = '']) => row[field] !== null && row[field] !== undefined)
  );
}

function linkOf(to: string, row: Row): string {
  return to.replace(PLACE, (_, field: string) => encodeURIComponent(String(row[field] ?? '')));
}
