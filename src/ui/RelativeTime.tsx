import { useSyncExternalStore } from 'react';
import { useLanguage } from '../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../kernel/time/index.ts';
import { ageClock, formatAge } from '../kernel/time/relative.ts';

interface RelativeTimeProps {
  /** A wire timestamp (UTC) or unix milliseconds. */
  time: string | number | null | undefined;
  /** Shown when there is no time. */
  empty?: string;
}

/** How long ago, kept up to date; the exact time on hover. Draws again only when its own words change. */
export function RelativeTime({ time, empty = '—' }: RelativeTimeProps) {
  useLanguage();
  const at = typeof time === 'number' ? time : parseWire(time);
  const words = () => (at === undefined ? empty : formatAge(at, ageClock.get()));
  const text = useSyncExternalStore(ageClock.subscribe, words, words);
  if (at === undefined) return <span>{empty}</span>;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      // Only then: making the first exact time takes browsers as long as drawing many rows.
      onPointerEnter={(event) => (event.currentTarget.title = formatTime(at))}
    >
      {text}
    </time>
  );
}
