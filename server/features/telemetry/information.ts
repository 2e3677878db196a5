import type { Context } from '../../context.ts';
import { SECOND, wireTime } from '../../kernel/clock.ts';
import type { Period } from './period.ts';
import { readSeries, readStates, walkSpans } from './series.ts';

const NUMBERS = ['signal', 'rsrp', 'rsrq', 'sinr', 'signal_2', 'temperature', 'sent', 'received'] as const;
const TEXTS = [
  'network_state',
  'sim_slot',
  'operator',
  'connection_type',
  'wan_ip',
  'mobile_ip',
  'network_state_2',
  'sim_slot_2',
  'operator_2',
  'connection_type_2',
  'mobile_ip_2',
] as const;
const SIMS = [1, 2] as const;
const MOST_POINTS = 500;

/** A moment of a device as the public API reports it. */
type Information = Record<string, string | number | null> & { created_at: string };

const SLOTS = ['sim_slot', 'sim_slot_2'] as const;
const slotOf = (text: string | null | undefined): number | null => (text === null || text === undefined ? null : Number(text));

/** The counters of the device beside the SIM that was in use. */
const bySim = (slot: number | null, numbers: Partial<Record<string, number>>): Record<string, number | null> =>
  Object.fromEntries(
    SIMS.flatMap((sim) => [
      [`sim${sim}_sent`, slot === sim ? (numbers['sent'] ?? null) : null],
      [`sim${sim}_received`, slot === sim ? (numbers['received'] ?? null) : null],
    ]),
  );

/** What a device reported over a period, moment by moment. The caller has checked that the actor sees the device. */
export async function readInformation(ctx: Context, deviceId: number, period: Period): Promise<Information[]> {
  const { series } = await readSeries(ctx, deviceId, { metrics: NUMBERS, period, points: MOST_POINTS });
  const states = await readStates(ctx, deviceId, TEXTS, period);
  const rows = new Map<number, Partial<Record<string, number>>>();
  for (const { metric, points } of series)
    for (const [at, average] of points) rows.set(at, { ...rows.get(at), [metric]: Math.round(average) });
  const readers = new Map(states.map((state) => [state.metric, walkSpans(state)]));
  return [...rows]
    .toSorted(([a], [b]) => a - b)
    .map(([at, numbers]) => {
      const texts = Object.fromEntries(TEXTS.map((name) => [name, readers.get(name)?.(at) ?? null]));
      const slots = Object.fromEntries(SLOTS.map((name) => [name, slotOf(texts[name])]));
      return {
        ...Object.fromEntries(NUMBERS.map((name) => [name, numbers[name] ?? null])),
        temperature_2: null,
        ...bySim(slots['sim_slot'] ?? null, numbers),
        ...texts,
        ...slots,
        created_at: wireTime(at * SECOND),
      };
    });
}
