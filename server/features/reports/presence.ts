import type { Row } from '../../db/schema.ts';
import { SECOND } from '../../kernel/clock.ts';
import { withoutDeafness } from '../../domain/devices/hearing.ts';
import type { Opening } from '../../domain/maintenance-windows/opening.ts';
import type { Period } from './periods.ts';

const ONLINE = '1';

interface Span {
  from: number;
  to: number;
  isOnline: boolean;
}

/** From when to when a device was online or not, as its page shows it; nothing is known before the first change that is kept. */
function spansOf(
  device: Pick<Row<'devices'>, 'status' | 'status_changed_at'>,
  changes: readonly { at: number; value: string }[],
  { start, end }: Period,
  now: number,
): Span[] {
  const last = Math.min(end, now);
  if (changes.length > 0)
    return changes.map(({ at, value }, index) => ({
      from: Math.max(at, start),
      to: changes[index + 1]?.at ?? last,
      isOnline: value === ONLINE,
    }));
  if (device.status === null || (device.status_changed_at ?? 0) >= end) return [];
  const from = Math.max(start, device.status_changed_at ?? start);
  return from < last ? [{ from, to: last, isOnline: device.status === 1 }] : [];
}

const overlap = (span: Span, openings: readonly Opening[]): number =>
  openings.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(span.to, to) - Math.max(span.from, from)), 0);

/** Seconds online, and the share of the known time outside maintenance windows that it was online in (0 to 100); null where nothing is known. */
export function presenceOf(
  device: Pick<Row<'devices'>, 'status' | 'status_changed_at'>,
  {
    changes,
    openings,
    deaf,
  }: { changes: readonly { at: number; value: string }[]; openings: readonly Opening[]; deaf: readonly Opening[] },
  period: Period,
  now: number,
): { connection_uptime: number | null; availability: number | null } {
  const spans = withoutDeafness(spansOf(device, changes, period, now), deaf);
  let [online, known, onlineOutside] = [0, 0, 0];
  for (const span of spans) {
    const length = span.to - span.from;
    const outside = length - overlap(span, openings);
    known += outside;
    if (!span.isOnline) continue;
    online += length;
    onlineOutside += outside;
  }
  return {
    connection_uptime: spans.length === 0 ? null : online / SECOND,
    availability: known === 0 ? null : (onlineOutside * 100) / known,
  };
}
