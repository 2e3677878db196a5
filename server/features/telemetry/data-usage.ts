import type { Context } from '../../context.ts';
import type { Period } from './period.ts';

/** Bytes of a device by day (UTC), modem and SIM slot; slot 0 is what went another way. */
export interface UsageDay {
  date: string;
  modems: { modem_id: string; sims: { sim_id: number; data: { tx: number; rx: number } }[] }[];
}

/** What a device sent and received, day by day, as the public API has it. The caller has checked that the actor sees the device. */
export async function readDataUsage(ctx: Context, deviceId: number, { start, end }: Period): Promise<UsageDay[]> {
  const rows = await ctx.reads
    .selectFrom('device_traffic')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('day', '>=', start)
    .where('day', '<', end)
    .orderBy('day')
    .orderBy('modem')
    .orderBy('sim')
    .execute();
  const days = Map.groupBy(rows, (row) => row.day);
  return [...days].map(([day, ways]) => ({
    date: new Date(day).toISOString().slice(0, 10),
    modems: [...Map.groupBy(ways, ({ modem }) => modem)].map(([modem, sims]) => ({
      modem_id: String(modem),
      sims: sims.map(({ sim, sent, received }) => ({ sim_id: sim, data: { tx: sent, rx: received } })),
    })),
  }));
}
