import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { HistoryEntry } from '../../../schemas/_generated/contract.ts';

const CHUNK = 250;

/** Gives the entries after an id, oldest first. */
export type ReadEntries = (afterId: number, limit: number) => Promise<HistoryEntry[]>;

/**
 * The history as lines of JSON for auditors, oldest first, between a line that says what it is and one that says how many there are. Each line
 * carries the SHA-256 of the line before it, so that none can be changed, left out or put in without breaking the chain.
 */
export async function* exportLines(ctx: Context, actor: Actor, read: ReadEntries): AsyncGenerator<string> {
  let previous = '';
  const chained = (record: object): string => {
    const line = JSON.stringify({ ...record, previous });
    previous = createHash('sha256').update(line).digest('hex');
    return `${line}\n`;
  };
  yield chained({
    kind: 'canopy-history',
    version: 1,
    exported_at: wireTime(ctx.clock.now()),
    user_name: actor.name,
    company_id: actor.companyId,
  });
  let count = 0;
  let last = 0;
  for (;;) {
    const entries = await read(last, CHUNK);
    for (const entry of entries) yield chained(entry);
    count += entries.length;
    last = entries.at(-1)?.id ?? last;
    if (entries.length < CHUNK) break;
  }
  yield chained({ kind: 'end', count });
}

/** The same as a stream. */
export function exportHistory(ctx: Context, actor: Actor, read: ReadEntries): Readable {
  return Readable.from(exportLines(ctx, actor, read));
}
