import type { Context } from '../../context.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { Period } from './period.ts';

const MOST_POSITIONS = 5000;

/** Where a device was, from when: degrees, metres, kilometres per hour. */
export interface Position {
  latitude: number;
  longitude: number;
  altitude: number | null;
  accuracy: number | null;
  satellites: number | null;
  speed: number | null;
  created_at: string;
}

/** Where a device was in a period, oldest first; of very many the newest. The caller has checked that the actor sees the device. */
export async function readPositions(ctx: Context, deviceId: number, { start, end }: Period, limit = MOST_POSITIONS): Promise<Position[]> {
  const read = ctx.reads
    .selectFrom('device_positions')
    .select(['latitude', 'longitude', 'altitude', 'accuracy', 'satellites', 'speed', 'at'])
    .where('device_id', '=', deviceId)
    .where('at', '>=', start)
    .where('at', '<', end)
    .orderBy('at', 'desc')
    .limit(limit);
  const rows = await ctx.database.longReads.rows(read.compile());
  return rows.toReversed().map(({ at, ...row }) => ({ ...row, created_at: wireTime(at) }));
}

/** What a device's inputs and outputs were in a period: the moments at which one of them changed. */
export async function readPinChanges(
  ctx: Context,
  deviceId: number,
  { start, end }: Period,
  limit = MOST_POSITIONS,
): Promise<{ pin: string; state: number; created_at: string }[]> {
  const read = ctx.reads
    .selectFrom('device_states')
    .select(['name', 'value', 'at'])
    .where('device_id', '=', deviceId)
    .where('name', '>=', 'pin_')
    .where('name', '<', 'pin`')
    .where('at', '>=', start)
    .where('at', '<', end)
    .orderBy('at', 'desc')
    .orderBy('name', 'desc')
    .limit(limit);
  const rows = await ctx.database.longReads.rows(read.compile());
  return rows
    .toReversed()
    .map(({ name, value, at }) => ({ pin: name.slice('pin_'.length), state: Number(value), created_at: wireTime(at) }));
}
