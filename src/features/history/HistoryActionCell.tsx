import { useActionText, whoText } from '../../engine/history/HistoryPanel.tsx';
import { useT } from '../../kernel/i18n/index.ts';
import type { CellProps } from '../../engine/resources/registry.ts';

/** What was done, in words. */
export function HistoryActionCell({ value, link }: CellProps) {
  const actionText = useActionText();
  return link(actionText(String(value)));
}

/** Who did it, and for whom. */
export function HistoryUserCell({ row, value }: CellProps) {
  const t = useT();
  const behalf = row['on_behalf_of_name'];
  const name = String(value ?? '');
  return typeof behalf === 'string' ? whoText(t, { user_name: name, on_behalf_of_name: behalf, ip: String(row['ip'] ?? '') }) : name;
}
