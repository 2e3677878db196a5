import { useLanguage } from '../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../kernel/time/index.ts';

/** A wire timestamp (UTC) as date and time in the zone of the reader, to the minute; nothing for what is no time. */
export function ExactTime({ time }: { time: string | null | undefined }) {
  useLanguage();
  const at = parseWire(time);
  return at === undefined ? null : <time dateTime={new Date(at).toISOString()}>{formatTime(at, 'YYYY-MM-DD HH:mm')}</time>;
}
