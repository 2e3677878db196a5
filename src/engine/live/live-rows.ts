import type { Row } from '../resources/resource.ts';

/** Why a row on screen may no longer belong to the list; it stays until the next load. */
export type RowMark = 'removed' | 'no-match';

/** The rows of one loaded page with what live events have done to them since. */
export interface LivePage {
  readonly rows: readonly Row[];
  readonly marks: ReadonlyMap<number, RowMark>;
  /** Row id → field → how often it has changed since the load; a new number starts the tint again. */
  readonly changes: ReadonlyMap<number, Readonly<Record<string, number>>>;
  /** Ids of records that came into being after the load and are not shown yet. */
  readonly added: ReadonlySet<number>;
}

/** Whether a record still belongs to the list; `undefined` where only the server knows. */
export type Matches = (row: Row) => boolean | undefined;

/** The page as it was loaded. */
export function loadedPage(rows: readonly Row[]): LivePage {
  return { rows, marks: new Map(), changes: new Map(), added: new Set() };
}

/** What has happened to records; `changed` rows hold their id and the changed fields only. */
export interface LiveBatch {
  readonly changed: readonly Row[];
  readonly added: readonly Row[];
  readonly removed: readonly number[];
}

/**
 * The page after a batch of events: rows are replaced in place (untouched ones stay the same object, so nothing else is drawn again),
 * removed ones and ones that stopped matching the filters are marked, new ones are counted. The same page when nothing on it differs.
 */
export function applyBatch(page: LivePage, batch: LiveBatch, matches: Matches): LivePage {
  const patched = patchRows(page, batch.changed, matches);
  const shown = new Set(page.rows.map((row) => row.id));
  const added = batch.added.filter((row) => !shown.has(row.id) && !page.added.has(row.id) && matches(row) !== false);
  const removed = batch.removed.filter((id) => shown.has(id) || page.added.has(id));
  if (added.length === 0 && removed.length === 0) return patched;
  const marks = new Map(patched.marks);
  for (const id of removed) if (shown.has(id)) marks.set(id, 'removed');
  const waiting = new Set([...page.added, ...added.map((row) => row.id)]);
  for (const id of removed) waiting.delete(id);
  return { ...patched, marks, added: waiting };
}

function patchRows(page: LivePage, patches: readonly Row[], matches: Matches): LivePage {
  const merged = new Map<number, Row>();
  for (const patch of patches) merged.set(patch.id, { ...merged.get(patch.id), ...patch });
  const changes = new Map(page.changes);
  const marks = new Map(page.marks);
  let isChanged = false;
  const rows = page.rows.map((row) => {
    const patch = merged.get(row.id);
    const fields = patch ? Object.keys(patch).filter((field) => !isSameValue(row[field], patch[field])) : [];
    if (!patch || fields.length === 0) return row;
    isChanged = true;
    const next: Row = { ...row, ...patch };
    const counts = changes.get(row.id);
    changes.set(row.id, { ...counts, ...Object.fromEntries(fields.map((field) => [field, (counts?.[field] ?? 0) + 1])) });
    remark(marks, row, next, matches);
    return next;
  });
  return isChanged ? { ...page, rows, changes, marks } : page;
}

function remark(marks: Map<number, RowMark>, before: Row, after: Row, matches: Matches): void {
  if (marks.get(after.id) === 'removed') return;
  if (matches(after) === true) marks.delete(after.id);
  else if (matches(before) === true) marks.set(after.id, 'no-match');
}

function isSameValue(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
