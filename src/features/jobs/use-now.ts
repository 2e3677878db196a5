import { useEffect, useState } from 'react';
import { SECOND } from '../../kernel/time/index.ts';

/** The present time in unix milliseconds; ticks each second while `isTicking`. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
