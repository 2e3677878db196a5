const SECOND = 1000;
const DAY = 86_400 * SECOND;

// Making one takes a hundred times as long as using it, and rules by the clock ask with every report.
const clocks = new Map<string, Intl.DateTimeFormat>();
/** There are some 600 zones, but their names are known in any case of letters. */
const MAX_CLOCKS = 2000;

function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  if (clocks.size >= MAX_CLOCKS) clocks.clear();
  clocks.set(timezone, clock);
  return clock;
}

/** By how much the clocks of a zone are ahead of UTC at a moment, in milliseconds. Throws RangeError for a zone that does not exist. */
export function aheadOfUtc(timezone: string, at: number): number {
  const text = clockOf(timezone).format(at);
  return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(at / SECOND) * SECOND;
}

/** Whether clocks of this zone are known. */
export function isZone(timezone: string): boolean {
  try {
    aheadOfUtc(timezone, 0);
    return true;
  } catch {
    return false;
  }
}

/** The first moment in a time at whose end the clocks of a zone differ from those at its begin, at which they do. */
function findClockChange(timezone: string, begin: number, end: number): number {
  const former = aheadOfUtc(timezone, begin);
  let [before, after] = [Math.floor(begin / SECOND), Math.ceil(end / SECOND)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (aheadOfUtc(timezone, middle * SECOND) === former) before = middle;
    else after = middle;
  }
  return after * SECOND;
}

/**
 * The moment at which clocks of a zone show this (milliseconds as if it were UTC). The one rule for clock changes, in every plan, window, schedule and
 * field: a time that does not exist on its day is the first moment after the gap; one that exists twice is the first of the two.
 */
export function momentOfClock(timezone: string, shown: number): number {
  const offsets = [aheadOfUtc(timezone, shown - DAY), aheadOfUtc(timezone, shown + DAY)];
  const moments = offsets.map((offset) => shown - offset);
  const real = moments.filter((at) => at + aheadOfUtc(timezone, at) === shown);
  if (real.length > 0) return Math.min(...real);
  return findClockChange(timezone, Math.min(...moments), Math.max(...moments));
}
