import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { SECOND } from '../../kernel/clock.ts';
import type { Period } from './period.ts';
import { readStates } from './series.ts';

const ONLINE = '1';

/** When a device was online in a period: spans in Unix seconds, and the share of the time that is known. `null` while nothing is known. */
export async function readPresence(
  ctx: Context,
  device: Pick<Row<'devices'>, 'id' | 'status' | 'status_changed_at'>,
  period: Period,
): Promise<{ spans: { from: number; to: number; is_online: boolean }[]; online_percent: number | null }> {
  const [states] = await readStates(ctx, device.id, ['status'], period);
  const spans = (states?.spans ?? []).map(([from, to, value]) => ({ from, to, is_online: value === ONLINE }));
  const last = Math.min(period.end, ctx.clock.now()) / SECOND;
  // Before the first change that is kept, the status is as it was changed last.
  if (spans.length === 0 && device.status !== null && (device.status_changed_at ?? 0) < period.end) {
    const from = Math.max(period.start, device.status_changed_at ?? period.start) / SECOND;
    if (from < last) spans.push({ from, to: last, is_online: device.status === 1 });
  }
  const known = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const online = spans.reduce((sum, { from, to, is_online }) => sum + (is_online ? to - from : 0), 0);
  return { spans, online_percent: known > 0 ? (online * 100) / known : null };
}
