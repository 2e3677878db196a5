/** The parts of the health of a device, each with its weight. */
export const HEALTH_WEIGHTS = { connection: 30, signal: 20, firmware: 15, temperature: 10, memory: 10, jobs: 10, data: 5 } as const;
export type HealthPart = keyof typeof HEALTH_WEIGHTS;
export const HEALTH_PARTS = Object.keys(HEALTH_WEIGHTS) as HealthPart[];

/** Groups of scores: `good` from 80, `fair` from 50, `poor` below; `unknown` without one. */
export const HEALTH_LEVELS = ['good', 'fair', 'poor', 'unknown'] as const;
export type HealthLevel = (typeof HEALTH_LEVELS)[number];
export const GOOD_FROM = 80;
export const FAIR_FROM = 50;

/** The group of a score of 0 to 100. */
export function healthLevel(score: number | null | undefined): HealthLevel {
  if (score === null || score === undefined) return 'unknown';
  if (score >= GOOD_FROM) return 'good';
  return score >= FAIR_FROM ? 'fair' : 'poor';
}

/** What was measured for each part; null where nothing is known. */
export interface HealthReadings {
  /** Share of the last 7 days online, percent. */
  connection: number | null;
  /** Average of the last 24 hours, dBm. */
  signal: number | null;
  firmware: 'newest' | 'older' | null;
  /** Highest of the last 24 hours, °C. */
  temperature: number | null;
  /** Used memory, percent. */
  memory: number | null;
  /** Share of what jobs did on it in the last 30 days that failed, percent. */
  jobs: number | null;
  /** Used data of its limit in its month, percent. */
  data: number | null;
}

/** 100 at `best`, 0 at `worst`, in a straight line between. */
function between(value: number, best: number, worst: number): number {
  const share = (value - worst) / (best - worst);
  return Math.round(Math.min(1, Math.max(0, share)) * 100);
}

const SCORES: { [P in HealthPart]: (value: NonNullable<HealthReadings[P]>) => number } = {
  connection: (percent) => between(percent, 100, 80),
  signal: (dbm) => between(dbm, -65, -105),
  firmware: (state) => (state === 'newest' ? 100 : 40),
  temperature: (celsius) => between(celsius, 60, 85),
  memory: (percent) => between(percent, 70, 95),
  jobs: (percent) => between(percent, 0, 50),
  data: (percent) => between(percent, 80, 100),
};

export type HealthScores = Record<HealthPart, number | null>;

/** The score of each part, 0 to 100; null where nothing is known. */
export function scoreParts(readings: HealthReadings): HealthScores {
  const scoreOf = <P extends HealthPart>(part: P): number | null => {
    const value = readings[part];
    return value === null ? null : SCORES[part](value);
  };
  return Object.fromEntries(HEALTH_PARTS.map((part) => [part, scoreOf(part)])) as HealthScores;
}

/** The average of the known parts by their weights, 0 to 100; null where no part is known. */
export function scoreOf(scores: HealthScores): number | null {
  const known = HEALTH_PARTS.flatMap((part) => (scores[part] === null ? [] : [{ score: scores[part], weight: HEALTH_WEIGHTS[part] }]));
  const weights = known.reduce((sum, { weight }) => sum + weight, 0);
  return weights === 0 ? null : Math.round(known.reduce((sum, { score, weight }) => sum + score * weight, 0) / weights);
}
