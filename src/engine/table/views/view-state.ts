import type { View } from '../../../../schemas/_generated/contract.ts';
import type { Resource } from '../../resources/resource.ts';
import { readListState, writeListState } from '../list-state.ts';
import type { ListState } from '../list-state.ts';

/** In an address: no view, although the user has one that the list opens with. */
export const NO_VIEW = 'all';

/** The number of the view that an address names. */
export function viewIdOf(state: ListState): number | undefined {
  return state.view !== undefined && /^[1-9]\d{0,14}$/.test(state.view) ? Number(state.view) : undefined;
}

/** What a view keeps of a list's state: filters, order and page size, as a query string. Equal rows give equal texts. */
export function viewQuery(state: ListState, resource: Resource): string {
  return writeListState(new URLSearchParams(), { ...state, page: 1, view: undefined, tab: undefined }, resource);
}

/** The state of a list that shows a view. What the view names and the list does not know any more is left out. */
export function stateOfView(view: Pick<View, 'id' | 'query'>, resource: Resource): ListState {
  return { ...readListState(new URLSearchParams(view.query), resource), page: 1, view: String(view.id), tab: undefined };
}

/**
 * The address names the view beside the whole state, so a link says the same rows when the view is gone; one with nothing but the view opens it. So a
 * state without anything of its own leaves its view, unless that has nothing either.
 */
export function settleView(
  next: ListState,
  resource: Resource,
  { current, hasDefault }: { current: Pick<View, 'query'> | undefined; hasDefault: boolean },
): ListState {
  const isPlain = viewQuery(next, resource) === '';
  if (viewIdOf(next) !== undefined && !(isPlain && (current === undefined || current.query !== ''))) return next;
  return { ...next, view: isPlain && hasDefault ? NO_VIEW : undefined };
}
