import type { Row } from '../resources/resource.ts';
import type { LiveBatch } from './live-rows.ts';

/** What one event means for a list; `reload` when it names rows without saying what became of them. */
export type LiveEffect = Partial<LiveBatch> | 'reload';

/**
 * Reads an event of a channel by the entry's rule for it. The name's ending says what happened (`…Added`, `…Changed`, `…Removed`, see events.json);
 * the payload is one record, an array of them, an object that holds such an array, or `ids`. What cannot be read asks for a reload.
 */
export function readLiveEvent(event: string, rule: 'patch-row' | 'reload', payload: unknown): LiveEffect {
  if (event.endsWith('Removed')) {
    const ids = readRows(payload).map((row) => row.id);
    return ids.length > 0 ? { removed: ids } : 'reload';
  }
  if (event.endsWith('Added')) {
    const rows = readRows(payload);
    return rows.length > 0 ? { added: rows } : 'reload';
  }
  const rows = rule === 'patch-row' ? readRows(payload).filter((row) => Object.keys(row).length > 1) : [];
  return rows.length > 0 ? { changed: rows } : 'reload';
}

function readRows(payload: unknown): Row[] {
  if (isRow(payload)) return [payload];
  if (Array.isArray(payload)) return payload.flatMap((item: unknown) => (isRow(item) ? [item] : isId(item) ? [{ id: item }] : []));
  if (typeof payload !== 'object' || payload === null) return [];
  return Object.values(payload)
    .filter((value) => Array.isArray(value))
    .flatMap(readRows);
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value && isId(value.id);
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
