import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';

const ROW = 'hearing';
/** A device is silent after so many of its periods. */
export const SILENT_AFTER_PERIODS = 3;
const SILENCE = SILENT_AFTER_PERIODS * SECOND;
/** How often a server notes that devices can be heard. */
export const HEARING_PERIOD_MS = 10 * SECOND;
/** Half a period late is a busy machine. */
const DEAF_AFTER_MS = 1.5 * HEARING_PERIOD_MS;
/** In which devices come back after a time in which nobody could hear them; their client doubles its pauses up to a minute. */
const RETURN_WITHIN_MS = 3 * MINUTE;

/** What servers note together: since when devices can be heard without a gap, whether nobody could hear them right before, and when that was noted last. */
interface Note {
  since: number;
  isAfterDeafness: boolean;
  notedAt: number;
}

/** Since when devices can be heard; and, after a time in which nobody could hear them, until when they may still be on their way back (else 0). */
export interface Hearing {
  since: number;
  graceUntil: number;
}

async function readNote(db: Db): Promise<Note | undefined> {
  const row = await db.selectFrom('installation').select('value').where('key', '=', ROW).executeTakeFirst();
  return row && (JSON.parse(row.value) as Note);
}

const toHearing = ({ since, isAfterDeafness }: Note): Hearing => ({ since, graceUntil: isAfterDeafness ? since + RETURN_WITHIN_MS : 0 });

type NotingContext = Pick<Context, 'db' | 'clock' | 'database'>;

/** Writes the note after this one, and the time of which nothing is known. */
async function continueNote(ctx: NotingContext, trx: Trx, note: Note, isStart: boolean): Promise<Note> {
  const now = ctx.clock.now();
  const wasDeaf = now - note.notedAt > (isStart ? HEARING_PERIOD_MS : DEAF_AFTER_MS);
  if (wasDeaf) await trx.insertInto('deaf_periods').values({ from_at: note.notedAt, until_at: now }).execute();
  // A clock that was ahead would have devices silent only when it is reached.
  if (now < note.notedAt - DEAF_AFTER_MS)
    await sql`update devices set silent_at = cast(${now} as bigint) + report_seconds * ${sql.lit(SILENCE)}
      where status = 1 and silent_at > cast(${now} as bigint) + report_seconds * ${sql.lit(SILENCE)}`.execute(trx);
  return { since: wasDeaf ? now : Math.min(note.since, now), isAfterDeafness: wasDeaf || note.isAfterDeafness, notedAt: now };
}

/**
 * Notes that devices can be heard now; call it while the broker is connected. When the last such note is too old, nobody could hear them since: no
 * server ran, it was stopped or suspended, it had lost its broker, or the clock was set. That time is kept as one of which nothing is known.
 */
export async function noteHearing(ctx: NotingContext, { isStart = false } = {}): Promise<Hearing> {
  const now = ctx.clock.now();
  const last = await readNote(ctx.db);
  if (last && !isStart && Math.abs(now - last.notedAt) <= DEAF_AFTER_MS) {
    const value = JSON.stringify({ ...last, notedAt: Math.max(now, last.notedAt) } satisfies Note);
    // Another server that has noted a time of deafness in between is right.
    await ctx.db.updateTable('installation').set({ value }).where('key', '=', ROW).where('value', '=', JSON.stringify(last)).execute();
    return toHearing(last);
  }
  return inTransaction(ctx.db, async (trx) => {
    const first: Note = { since: now, isAfterDeafness: false, notedAt: now };
    await trx
      .insertInto('installation')
      .values({ key: ROW, value: JSON.stringify(first) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (ctx.database.tools.kind === 'postgres') await sql`select 1 from installation where key = ${ROW} for update`.execute(trx);
    const note = await continueNote(ctx, trx, (await readNote(trx)) ?? first, isStart);
    await trx
      .updateTable('installation')
      .set({ value: JSON.stringify(note) })
      .where('key', '=', ROW)
      .execute();
    return toHearing(note);
  });
}

/** What is known of the hearing now; while nobody can hear devices it begins now. */
export async function readHearing(db: Db, now: number): Promise<Hearing> {
  const note = await readNote(db);
  if (!note) return { since: 0, graceUntil: 0 };
  return toHearing(now - note.notedAt > DEAF_AFTER_MS ? { since: now, isAfterDeafness: true, notedAt: now } : note);
}

/** A time in which nobody could hear devices. */
export interface DeafPeriod {
  from: number;
  to: number;
}

/** Since when nobody can hear devices now, up to now; it is a row of `deaf_periods` only when it is over. undefined: they can be heard. */
export async function currentDeafness(db: Db, now: number): Promise<DeafPeriod | undefined> {
  const note = await readNote(db);
  return note && now - note.notedAt > DEAF_AFTER_MS ? { from: note.notedAt, to: now } : undefined;
}

/** When nobody could hear devices, within a period, oldest first, the time that is not over included. */
export async function deafPeriods(db: Db, { start, end }: { start: number; end: number }, now: number): Promise<DeafPeriod[]> {
  const over = await db
    .selectFrom('deaf_periods')
    .select(['from_at as from', 'until_at as to'])
    .where('until_at', '>', start)
    .where('from_at', '<', end)
    .orderBy('from_at')
    .execute();
  const current = await currentDeafness(db, now);
  return current && current.from < end && current.to > start ? [...over, current] : over;
}

/** What is left of spans when the times are taken out in which nobody could hear devices. */
export function withoutDeafness<S extends DeafPeriod>(spans: readonly S[], deaf: readonly DeafPeriod[]): S[] {
  if (deaf.length === 0) return [...spans];
  return spans.flatMap((span) => {
    const parts: S[] = [];
    let { from } = span;
    for (const gap of deaf) {
      if (gap.to <= from || gap.from >= span.to) continue;
      if (gap.from > from) parts.push({ ...span, from, to: gap.from });
      from = gap.to;
    }
    if (from < span.to) parts.push({ ...span, from });
    return parts;
  });
}
