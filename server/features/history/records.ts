import type { HistoryEntry } from '../../../schemas/_generated/contract.ts';
import type { JsonText } from '../../db/column-types.ts';

/** A record as the history kept it; null when there was none. */
export function parseRecord(text: JsonText | null): HistoryEntry['before'] {
  const record: unknown = text === null ? null : JSON.parse(text);
  return typeof record === 'object' && record !== null && !Array.isArray(record) ? { ...record } : null;
}
