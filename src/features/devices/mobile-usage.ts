import { DAY } from '../../kernel/time/index.ts';

export interface UsageDay {
  date: string;
  modems: { modem_id: string; sims: { sim_id: number; data: { tx: number; rx: number } }[] }[];
}

/** What went another way than a SIM. */
const NO_SIM = 0;

/** A SIM slot of a modem. */
export interface Sim {
  modem: string;
  slot: number;
}

/** Of the first modem slot 0 is what went another way; a second one is always a mobile way. */
const isMobile = ({ modem, slot }: Sim): boolean => slot !== NO_SIM || modem !== '1';

const waysOf = ({ modems }: UsageDay) =>
  modems.flatMap(({ modem_id: modem, sims }) => sims.map(({ sim_id: slot, data }) => ({ modem, slot, bytes: data.tx + data.rx })));

/** The ways that data went, by modem and slot. */
export function waysIn(days: readonly UsageDay[]): Sim[] {
  const sims = new Map(days.flatMap((day) => waysOf(day).map(({ modem, slot }) => [`${modem} ${slot}`, { modem, slot }])));
  return [...sims.values()].toSorted((a, b) => a.modem.localeCompare(b.modem) || a.slot - b.slot);
}

/** The SIMs that data went over. */
export const simsOf = (days: readonly UsageDay[]): Sim[] => waysIn(days).filter(isMobile);

/** Bytes over one SIM, or all of them, by day. */
export function mobileDays(days: readonly UsageDay[], sim?: Sim): { date: string; bytes: number }[] {
  return days.map((day) => {
    const ways = waysOf(day).filter((way) => (sim === undefined ? isMobile(way) : way.modem === sim.modem && way.slot === sim.slot));
    return { date: day.date, bytes: ways.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
}

/** Bytes over all SIMs since the month began, added up day by day; days without any keep the sum. */
export function monthToDate(days: readonly UsageDay[], since: number): { times: number[]; total: number[] } {
  const bytes = new Map(mobileDays(days).map((day) => [Date.parse(`${day.date}T00:00:00Z`), day.bytes]));
  const last = Math.max(since, ...bytes.keys());
  const times: number[] = [];
  const total: number[] = [];
  let sum = 0;
  for (let at = since; at <= last; at += DAY) {
    sum += bytes.get(at) ?? 0;
    times.push(at);
    total.push(sum);
  }
  return { times, total };
}
