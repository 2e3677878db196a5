import type { JobWave } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';
import { emptyCounts, type JobCounts } from './counts.ts';
import { failuresOf } from './waves.ts';

/** What a wave is made of, before it is presented. */
interface Wave {
  counts: JobCounts;
  beganAt: number | null;
  endedAt: number | null;
}

const sum = (counts: JobCounts): number => Object.values(counts).reduce((total, count) => total + count, 0);

function presentWave(number: number, { counts, beganAt, endedAt }: Wave, state: JobWave['state']): JobWave {
  const { failed, over } = failuresOf(counts);
  return {
    id: number,
    number,
    state,
    total: sum(counts),
    counts,
    failed_percent: over === 0 ? null : Math.round((failed * 100) / over),
    began_at: wireTime(beganAt),
    ended_at: state === 'done' ? wireTime(endedAt) : null,
  };
}

/** Waves that have not begun, as large as they will be when nothing stops the job. `left`: targets that are in none yet. */
function plannedWaves(job: Row<'jobs'>, from: number, left: number, state: 'queued' | 'cancelled'): JobWave[] {
  const planned: JobWave[] = [];
  for (let number = from, rest = left; rest > 0; number += 1) {
    const size = Math.min(rest, (number === 1 ? job.wave_first : null) ?? job.wave_size ?? rest);
    const counts = { ...emptyCounts(), [state]: size };
    planned.push(presentWave(number, { counts, beganAt: null, endedAt: null }, state === 'queued' ? 'planned' : 'dropped'));
    rest -= size;
  }
  return planned;
}

/**
 * The waves of a job in their order: those that are over, the present one, and those to come; one of all its devices where it has none. Devices that
 * were left out when the job was made are in none.
 */
export async function readWaves(ctx: Pick<Context, 'reads'>, job: Row<'jobs'>): Promise<JobWave[]> {
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .select(['wave', 'state'])
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.min(eb.fn.coalesce('started_at', 'sent_at')).as('began_at'),
      eb.fn.max('finished_at').as('ended_at'),
    ])
    .where('job_id', '=', job.id)
    .where((eb) => eb.or([eb('state', '!=', 'skipped'), eb('wave', 'is not', null)]))
    .groupBy(['wave', 'state'])
    .execute();
  const isInWaves = job.wave_size !== null;
  const waves = new Map<number, Wave>();
  const waiting = { queued: 0, cancelled: 0 };
  for (const { wave, state, count, began_at, ended_at } of rows) {
    const isWaiting = isInWaves && wave === null && (state === 'queued' || state === 'cancelled');
    if (isWaiting) {
      waiting[state] += Number(count);
      continue;
    }
    const number = wave ?? Math.max(1, job.wave_number);
    const known = waves.get(number) ?? { counts: emptyCounts(), beganAt: null, endedAt: null };
    known.counts[state] += Number(count);
    const [beganAt, endedAt] = [began_at, ended_at].map((at) => (at === null ? null : Number(at)));
    known.beganAt = [known.beganAt, beganAt ?? null].reduce((a, b) => (a === null || (b !== null && b < a) ? b : a));
    known.endedAt = [known.endedAt, endedAt ?? null].reduce((a, b) => (a === null || (b !== null && b > a) ? b : a));
    waves.set(number, known);
  }
  const inWave = Math.max(0, waiting.queued - job.wave_floor);
  if (isInWaves && job.wave_number > 0 && inWave > 0) {
    const present = waves.get(job.wave_number) ?? { counts: emptyCounts(), beganAt: null, endedAt: null };
    present.counts.queued += inWave;
    waves.set(job.wave_number, present);
    waiting.queued -= inWave;
  }
  const begun = [...waves]
    .sort(([a], [b]) => a - b)
    .map(([number, wave]) => {
      const isOpen = wave.counts.queued + wave.counts.sent + wave.counts.running > 0;
      return presentWave(number, wave, isOpen ? (wave.beganAt === null && !isInWaves ? 'planned' : 'running') : 'done');
    });
  const next = begun.length === 0 ? 1 : (begun.at(-1)?.number ?? 0) + 1;
  const planned = plannedWaves(job, next, waiting.queued, 'queued');
  return [...begun, ...planned, ...plannedWaves(job, next + planned.length, waiting.cancelled, 'cancelled')];
}
