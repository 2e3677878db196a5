import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../../db/schema.ts';
import { CHUNK } from './evaluate.ts';

const LENGTH = 16;

/** Which devices a job is for, in its order, as one short text for the history: the beginning of the SHA-256 of their ids with commas between. */
export function targetHash(deviceIds: readonly number[]): string {
  return createHash('sha256').update(deviceIds.join(',')).digest('hex').slice(0, LENGTH);
}

/**
 * The devices of a job, and the outcome of each, as one short text each for the history, which outlives the job: a person who kept the results can show
 * that they are these. A result is `<device id> <state> <reason> <code>`, one a line.
 */
export async function hashResults(db: Db, jobId: number): Promise<{ targets: string; results: string }> {
  const deviceIds: number[] = [];
  const results = createHash('sha256');
  let after = 0;
  for (;;) {
    const rows = await db
      .selectFrom('job_targets')
      .select(['id', 'device_id', 'state', 'reason', 'code'])
      .where('job_id', '=', jobId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    for (const row of rows) {
      deviceIds.push(row.device_id);
      results.update(`${row.device_id} ${row.state} ${row.reason ?? '-'} ${row.code ?? '-'}\n`);
    }
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK) return { targets: targetHash(deviceIds), results: results.digest('hex').slice(0, LENGTH) };
    after = last.id;
    await nextTurn();
  }
}
