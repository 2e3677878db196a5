import { useActionText } from '../../engine/history/HistoryPanel.tsx';
import type { CellProps } from '../../engine/resources/registry.ts';

/** What was done, in words. */
export function HistoryActionCell({ value, link }: CellProps) {
  const actionText = useActionText();
  return link(actionText(String(value)));
}
