import { useSyncExternalStore } from 'react';
import type { CellProps } from '../../engine/resources/registry.ts';
import { valueLabel } from '../../engine/table/labels.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { MINUTE, parseWire } from '../../kernel/time/index.ts';
import { ageClock, formatDuration } from '../../kernel/time/relative.ts';
import { StatusMark } from '../../ui/index.ts';

/** Whether an alert is open, acknowledged or over; of an open one that is snoozed, for how long still. */
export function AlertStateCell({ value, row, resource, column }: CellProps) {
  const t = useT();
  const until = typeof row['snoozed_until'] === 'string' ? (parseWire(row['snoozed_until']) ?? 0) : 0;
  const now = useSyncExternalStore(ageClock.subscribe, ageClock.get);
  const left = until - now;
  if (value === 'open' && left > 0)
    return <StatusMark kind="idle">{t('automations.snoozed', { duration: formatDuration(Math.ceil(left / MINUTE) * MINUTE) })}</StatusMark>;
  return <StatusMark kind={column.marks?.[String(value)] ?? 'idle'}>{valueLabel(resource, column.key, value)}</StatusMark>;
}
