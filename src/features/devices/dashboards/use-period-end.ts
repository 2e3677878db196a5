import { useEffect, useState } from 'react';
import { DAY } from '../../../kernel/time/index.ts';

/** Periods move on by such a part of them. */
const STEPS = 288;

/** The end of the period that a dashboard shows, ms: when it was opened, and on a dashboard that is read again at least every 1/288 of the period later. */
export function usePeriodEnd(days: number, refreshMs: number | false): number {
  const [end, setEnd] = useState(() => Date.now());
  useEffect(() => {
    if (refreshMs === false) return undefined;
    const timer = setInterval(() => setEnd(Date.now()), Math.max(refreshMs, (days * DAY) / STEPS));
    return () => clearInterval(timer);
  }, [days, refreshMs]);
  return end;
}
