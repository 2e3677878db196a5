import type { HistoryEntry } from '../../../schemas/_generated/contract.ts';
import { JsonView } from '../json/JsonView.tsx';

/** A record before and after a change, as it is kept. */
export default function RawRecord({ entry }: { entry: Pick<HistoryEntry, 'id' | 'entity_name' | 'before' | 'after'> }) {
  return (
    <JsonView
      value={{ before: entry.before, after: entry.after }}
      label={entry.entity_name ?? String(entry.id)}
      fileName={`change-${entry.id}`}
    />
  );
}
