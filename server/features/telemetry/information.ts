import type { Context } from '../../context.ts';
import { SECOND, wireTime } from '../../kernel/clock.ts';
import type { Period } from './period.ts';
import { readSeries, readStates } from './series.ts';

const NUMBERS = ['signal', 'temperature', 'sent', 'received'] as const;
const TEXTS = ['network_state', 'sim_slot', 'operator', 'connection_type', 'wan_ip', 'mobile_ip'] as const;
const MOST_POINTS = 500;

/** A moment of a device as the public API tells it. */
type Information = Record<(typeof NUMBERS)[number], number | null> &
  Record<(typeof TEXTS)[number], string | number | null> & { created_at: string };

/** What a device reported over a period, moment by moment. The caller has checked that the actor sees the device. */
export async function readInformation(ctx: Context, deviceId: number, period: Period): Promise<Information[]> {
  const { series } = await readSeries(ctx, deviceId, { metrics: NUMBERS, period, points: MOST_POINTS });
  const states = await readStates(ctx, deviceId, TEXTS, period);
  const rows = new Map<number, Partial<Record<string, number>>>();
  for (const { metric, points } of series)
    for (const [at, average] of points) rows.set(at, { ...rows.get(at), [metric]: Math.round(average) });
  const textAt = (name: string, at: number): string | null =>
    states.find(({ metric }) => metric === name)?.spans.find(([from, to]) => from <= at && at < to)?.[2] ?? null;
  return [...rows]
    .toSorted(([a], [b]) => a - b)
    .map(([at, numbers]) => {
      const slot = textAt('sim_slot', at);
      return {
        signal: numbers['signal'] ?? null,
        temperature: numbers['temperature'] ?? null,
        sent: numbers['sent'] ?? null,
        received: numbers['received'] ?? null,
        network_state: textAt('network_state', at),
        sim_slot: slot === null ? null : Number(slot),
        operator: textAt('operator', at),
        connection_type: textAt('connection_type', at),
        wan_ip: textAt('wan_ip', at),
        mobile_ip: textAt('mobile_ip', at),
        created_at: wireTime(at * SECOND),
      };
    });
}
