import type { RowSelectionState } from '@tanstack/react-table';
import type { SelectionInput } from '../../../schemas/kit/form/types.ts';
import type { Row } from '../resources/resource.ts';

/**
 * Which rows a user has chosen.
 *
 * - `rows`: those ticked one by one or by page, kept over paging with the record as it was last seen (docs/checks.md T5).
 * - `all`: everything that the filter matches: the query and the number that the user saw, never ids; the server decides again when it runs.
 */
export type Selection =
  | { readonly mode: 'rows'; readonly rows: ReadonlyMap<number, Row> }
  | { readonly mode: 'all'; readonly query: Readonly<Record<string, string>>; readonly count: number };

export const EMPTY_SELECTION: Selection = { mode: 'rows', rows: new Map() };

/** These rows and no others. */
export function selectRows(rows: readonly Row[]): Selection {
  return { mode: 'rows', rows: new Map(rows.map((row) => [row.id, row])) };
}

/** How many rows are chosen. */
export function selectionCount(selection: Selection): number {
  return selection.mode === 'all' ? selection.count : selection.rows.size;
}

/** The table's state for a selection. With "all that match" every row of the page is chosen. */
export function rowSelectionOf(selection: Selection, page: readonly Row[]): RowSelectionState {
  const ids = selection.mode === 'all' ? page.map((row) => row.id) : [...selection.rows.keys()];
  return Object.fromEntries(ids.map((id) => [String(id), true]));
}

/**
 * The selection after the table changed its state; rows of other pages are known from the former selection.
 * A row taken out of "all that match" leaves the other rows of the page, because a query cannot name an exception.
 */
export function selectionOf(next: RowSelectionState, before: Selection, page: readonly Row[]): Selection {
  const known = new Map([...(before.mode === 'rows' ? before.rows : []), ...page.map((row) => [row.id, row] as const)]);
  // In the order in which they were ticked; keys of an object that are numbers come in their own order.
  const chosen = [...known].filter(([id]) => next[String(id)]);
  return { mode: 'rows', rows: new Map(chosen) };
}

/** Everything that the filter matches, with the count on screen at this moment. */
export function selectAllMatching(query: Readonly<Record<string, string>>, count: number): Selection {
  return { mode: 'all', query, count };
}

/** Takes over newer versions of chosen rows, so that an action's rules judge what is on screen; the same object when nothing differs. */
export function refreshSelection(selection: Selection, page: readonly Row[]): Selection {
  if (selection.mode === 'all') return selection;
  const changed = page.filter((row) => selection.rows.has(row.id) && selection.rows.get(row.id) !== row);
  if (changed.length === 0) return selection;
  const rows = new Map(selection.rows);
  for (const row of changed) rows.set(row.id, row);
  return { mode: 'rows', rows };
}

/** Forgets rows that no longer exist; the same object when none was chosen. */
export function dropFromSelection(selection: Selection, ids: readonly number[]): Selection {
  if (selection.mode === 'all' || !ids.some((id) => selection.rows.has(id))) return selection;
  const rows = new Map(selection.rows);
  for (const id of ids) rows.delete(id);
  return { mode: 'rows', rows };
}

/** The body that names these rows in a bulk call (docs/behaviour.md section 7, bulk device payload): ids, or the query with the count that the user saw. */
export function selectionInput(selection: Selection): SelectionInput {
  return selection.mode === 'all'
    ? { selection: { query: { ...selection.query }, count: selection.count } }
    : { device_id: [...selection.rows.keys()] };
}
