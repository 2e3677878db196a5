import { FEWEST_DAYS } from '../../../schemas/kit/devices/usage-forecast.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { StatusMark } from '../../ui/index.ts';
import { formatBytes } from '../table/format.ts';

interface UsageForecastProps {
  /** Bytes by the end of the month; null: too little data. */
  bytes: number | null;
  /** The day on which the limit is reached. */
  reachedOn?: string | null;
  isOver?: boolean;
}

/** How much data is expected by the end of a month, and when that reaches the limit. */
export function UsageForecast({ bytes, reachedOn = null, isOver = false }: UsageForecastProps) {
  const t = useT();
  if (bytes === null) return t('lists.usage.too_little', { count: FEWEST_DAYS });
  const total = t('lists.usage.total', { bytes: formatBytes(bytes) });
  if (reachedOn === null) return total;
  return <StatusMark kind={isOver ? 'bad' : 'warn'}>{`${total} · ${t('lists.usage.reached', { date: reachedOn })}`}</StatusMark>;
}
