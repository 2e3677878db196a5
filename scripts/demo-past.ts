import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../server/context.ts';
import type { ApiClient } from './api-client.ts';

const DAY = 24 * 3600 * 1000;
const MEBIBYTE = 1024 ** 2;
const PAST_DAYS = 35;
const TRIES = 20;
const ROWS = 500;
const WEEKEND = new Set([0, 6]);

/** Bytes of a device on a day: each its own amount, less at weekends. Not random, so that two demos show the same. */
function bytesOf(id: number, day: number): number {
  const own = 20 + ((id * 37) % 180);
  const weekend = WEEKEND.has(new Date(day).getUTCDay()) ? 0.4 : 1;
  return Math.round(own * weekend * (0.8 + ((id + day / DAY) % 5) / 10) * MEBIBYTE);
}

/** Gives the SIMs of simulated devices five weeks behind them, so that months, limits and forecasts have something to show; then limits and notes. */
export async function addPastOfSims(ctx: Context, api: ApiClient): Promise<void> {
  const read = () =>
    ctx.reads
      .selectFrom('sims')
      .innerJoin('devices', 'devices.id', 'sims.device_id')
      .select(['sims.id', 'sims.device_id', 'sims.modem', 'sims.slot'])
      .where('devices.is_simulated', '=', 1)
      .orderBy('sims.id')
      .execute();
  let sims = await read();
  for (let tries = 0; tries < TRIES && sims.length === 0; tries += 1) {
    await wait(1000);
    sims = await read();
  }
  const now = Date.now();
  const today = now - (now % DAY);
  const days = Array.from({ length: PAST_DAYS }, (_, index) => today - (index + 1) * DAY);
  const rows = sims.flatMap((sim) =>
    days.map((day) => ({ ...sim, day, received: bytesOf(sim.id, day), sent: Math.round(bytesOf(sim.id, day) / 8) })),
  );
  for (let start = 0; start < rows.length; start += ROWS) {
    const part = rows.slice(start, start + ROWS);
    await ctx.db
      .insertInto('sim_traffic')
      .values(part.map(({ id, day, sent, received }) => ({ sim_id: id, day, sent, received })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const ofDevices = part.flatMap(({ device_id, modem, slot: sim, day, sent, received }) =>
      device_id === null ? [] : [{ device_id, modem, sim, day, sent, received }],
    );
    await ctx.db
      .insertInto('device_traffic')
      .values(ofDevices)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const [first, second] = sims;
  if (first === undefined) return;
  await api.call('PUT', '/sims/limit', { sim_id: sims.filter((_, index) => index % 3 > 0).map(({ id }) => id), limit_gb: 4, starts_on: 1 });
  await api.call('PUT', `/sims/${first.id}`, {
    phone_number: '+47 580 00 123 456',
    limit_gb: 0.5,
    starts_on: 1,
    note: 'Contract 4711, ends in June',
  });
  if (second) await api.call('PUT', `/sims/${second.id}`, { phone_number: '+47 580 00 123 457', limit_gb: 2, starts_on: 15, note: '' });
}
