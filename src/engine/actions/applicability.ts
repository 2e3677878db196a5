import { supports, type DeviceFeature } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { ActionEntry, ActionPlace, RecordRule } from '../../../schemas/kit/resources/resource-types.ts';
import type { Can, Resource, Row } from '../resources/resource.ts';
import type { Selection } from '../table/selection.ts';

/** The actions of a resource at a place that this user may use, in the order of the entry. */
export function actionsAt(resource: Resource, place: ActionPlace, can: Can): ActionEntry[] {
  return (resource.actions ?? []).filter((action) => action.on.includes(place) && can(action.permission));
}

/** Whether the rule of an action or a tab lets it apply to a record. */
export function appliesTo({ when, feature }: { readonly when?: RecordRule; readonly feature?: DeviceFeature }, row: Row): boolean {
  if (feature !== undefined && !supports({ model: row['model'], firmware: row['firmware'] }, feature)) return false;
  return !when || when.in.some((wanted) => wanted === row[when.field]);
}

export interface Applicability {
  /** How many of the chosen records the action applies to; `undefined` for "all that match", which only the server can count. */
  count: number | undefined;
  total: number;
  isEnabled: boolean;
}

/** How far an action applies to a selection (docs/checks.md T6). */
export function judgeAction(action: ActionEntry, selection: Selection): Applicability {
  if (selection.mode === 'all') return { count: undefined, total: selection.count, isEnabled: selection.count > 0 };
  const rows = [...selection.rows.values()];
  const count = rows.filter((row) => appliesTo(action, row)).length;
  return { count, total: rows.length, isEnabled: count > 0 };
}

/** The harmless action that a row without a page of its own opens with, or `undefined`. */
export function openingAction(resource: Resource, can: Can): ActionEntry | undefined {
  if (resource.routes.show) return undefined;
  return actionsAt(resource, 'row', can).find((action) => !action.danger && action.kind !== 'job' && !action.when && !action.feature);
}
