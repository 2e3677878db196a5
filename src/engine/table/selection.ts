import type { SelectionInput } from '../../../schemas/kit/types.ts';
import type { Row } from '../resources/resource.ts';

/**
 * Which rows a user has chosen.
 *
 * - `rows`: those ticked one by one or by page, kept over paging with the record as it was last seen (docs/checks.md T5).
 * - `all`: everything that the filter matches: the query and the number that the user saw, never ids; the server decides again when it runs.
 */
export type Selection =
  | { readonly mode: 'rows'; readonly rows: ReadonlyMap<number, Row>; readonly anchor: number | undefined }
  | { readonly mode: 'all'; readonly query: Readonly<Record<string, string>>; readonly count: number };

export const EMPTY_SELECTION: Selection = { mode: 'rows', rows: new Map(), anchor: undefined };

/** How many rows are chosen. */
export function selectionCount(selection: Selection): number {
  return selection.mode === 'all' ? selection.count : selection.rows.size;
}

/** Whether a row is chosen. With "all that match" every row on screen is. */
export function isSelected(selection: Selection, id: number): boolean {
  return selection.mode === 'all' || selection.rows.has(id);
}

/**
 * Ticks or unticks one row; with `range` (shift-click) all rows of the page between the last ticked one and this one follow it.
 * Unticking a row out of "all that match" leaves the other rows of the page, because a query cannot name an exception.
 */
export function toggleRow(selection: Selection, page: readonly Row[], id: number, range: boolean): Selection {
  const before = selection.mode === 'all' ? selectPage(EMPTY_SELECTION, page) : selection;
  if (before.mode === 'all') return before;
  const rows = new Map(before.rows);
  const isAdding = !rows.has(id);
  for (const row of range ? between(page, before.anchor, id) : page.filter((other) => other.id === id)) {
    if (isAdding) rows.set(row.id, row);
    else rows.delete(row.id);
  }
  return { mode: 'rows', rows, anchor: id };
}

function between(page: readonly Row[], from: number | undefined, to: number): readonly Row[] {
  const end = page.findIndex((row) => row.id === to);
  const start = page.findIndex((row) => row.id === from);
  return page.slice(Math.min(start === -1 ? end : start, end), Math.max(start, end) + 1);
}

/** What the header checkbox shows for this page. */
export function pageState(selection: Selection, page: readonly Row[]): 'none' | 'some' | 'all' {
  const chosen = page.filter((row) => isSelected(selection, row.id)).length;
  return chosen === 0 ? 'none' : chosen === page.length ? 'all' : 'some';
}

/** Adds every row of the page. */
export function selectPage(selection: Selection, page: readonly Row[]): Selection {
  if (selection.mode === 'all') return selection;
  const rows = new Map(selection.rows);
  for (const row of page) rows.set(row.id, row);
  return { mode: 'rows', rows, anchor: selection.anchor };
}

/** Takes every row of the page away; "all that match" ends as a whole. */
export function deselectPage(selection: Selection, page: readonly Row[]): Selection {
  if (selection.mode === 'all') return EMPTY_SELECTION;
  const rows = new Map(selection.rows);
  for (const row of page) rows.delete(row.id);
  return { mode: 'rows', rows, anchor: undefined };
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
  return { ...selection, rows };
}

/** Forgets rows that no longer exist; the same object when none was chosen. */
export function dropFromSelection(selection: Selection, ids: readonly number[]): Selection {
  if (selection.mode === 'all' || !ids.some((id) => selection.rows.has(id))) return selection;
  const rows = new Map(selection.rows);
  for (const id of ids) rows.delete(id);
  return { ...selection, rows };
}

/** The body that names these rows in a bulk call (docs/behaviour.md section 7, bulk device payload): ids, or the query with the count that the user saw. */
export function selectionInput(selection: Selection): SelectionInput {
  return selection.mode === 'all'
    ? { selection: { query: { ...selection.query }, count: selection.count } }
    : { device_id: [...selection.rows.keys()] };
}
