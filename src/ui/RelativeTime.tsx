import { useSyncExternalStore } from 'react';
import { translate, useLanguage } from '../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../kernel/time/index.ts';
import { ageClock, formatAge } from '../kernel/time/relative.ts';

interface RelativeTimeProps {
  /** A wire timestamp (UTC) or unix milliseconds. */
  time: string | number | null | undefined;
  /** Shown when there is no time. */
  empty?: string;
  /** Says "4 min ago" in place of "4 min", where no heading says that it is an age. */
  saysAgo?: boolean;
}

/** How long ago, kept up to date; the exact time on hover. Draws again only when its own words change. */
export function RelativeTime({ time, empty = '—', saysAgo = false }: RelativeTimeProps) {
  useLanguage();
  const at = typeof time === 'number' ? time : parseWire(time);
  const current = () => (at === undefined ? empty : ageWords(at, ageClock.get(), saysAgo));
  const text = useSyncExternalStore(ageClock.subscribe, current, current);
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

function ageWords(at: number, now: number, saysAgo: boolean): string {
  const age = formatAge(at, now);
  return saysAgo && at < now && age !== translate('time.now') ? translate('time.ago', { time: age }) : age;
}
