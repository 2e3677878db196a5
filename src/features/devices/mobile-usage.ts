import { DAY } from '../../kernel/time/index.ts';

export interface UsageDay {
  date: string;
  modems: { modem_id: string; sims: { sim_id: number; data: { tx: number; rx: number } }[] }[];
}

/** What went another way than a SIM. */
const NO_SIM = 0;

/** The SIM slots that data went over, ascending. */
export function simsOf(days: readonly UsageDay[]): number[] {
  const slots = days.flatMap(({ modems }) => modems.flatMap(({ sims }) => sims.map(({ sim_id }) => sim_id)));
  return [...new Set(slots)].filter((slot) => slot !== NO_SIM).toSorted((a, b) => a - b);
}

/** Bytes over one SIM, or all of them, by day. */
export function mobileDays(days: readonly UsageDay[], sim?: number): { date: string; bytes: number }[] {
  return days.map(({ date, modems }) => {
    const sims = modems.flatMap((modem) => modem.sims).filter(({ sim_id }) => (sim === undefined ? sim_id !== NO_SIM : sim_id === sim));
    return { date, bytes: sims.reduce((sum, { data }) => sum + data.tx + data.rx, 0) };
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
