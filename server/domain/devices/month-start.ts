/** When the month that a moment is in began, for months that begin on this day (UTC). */
export function monthStart(now: number, startsOn: number): number {
  const day = new Date(now);
  const isBefore = day.getUTCDate() < startsOn;
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - (isBefore ? 1 : 0), startsOn);
}
