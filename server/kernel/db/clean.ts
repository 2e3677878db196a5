import { setTimeout as pause } from 'node:timers/promises';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import { AGES, retentions, type AgeRule } from '../../db/retention.ts';
import type { TableName } from '../../db/schema.ts';
import { HOUR, MINUTE } from '../clock.ts';
import { inTransaction } from './database.ts';

/** Between these a piece is as large as can be deleted in about the time of a piece. */
const [MIN_ROWS, MAX_ROWS] = [20, 2000];
const PIECE_MS = 8;

const isTable = (name: string): name is TableName => name in retentions;
const tables = Object.keys(retentions).filter(isTable);

/** What else goes with rows, such as files: called with their ids before they are deleted. */
export type CleaningHooks = Partial<Record<TableName, (ids: readonly number[]) => Promise<void>>>;

type CleaningContext = Pick<Context, 'db' | 'reads' | 'database' | 'clock' | 'config' | 'log'>;

interface Cleaning {
  ctx: CleaningContext;
  hooks: CleaningHooks;
  isStopped(): boolean;
}

/** Deletes at most `limit` of the rows that a condition holds for; answers how many. Rows that another server deletes at the moment are left to it. */
async function deletePiece(ctx: CleaningContext, table: TableName, condition: RawBuilder<SqlBool>, limit: number): Promise<number> {
  const { kind } = ctx.database.tools;
  const retention = retentions[table];
  const names = retention.lives === 'aged' && retention.key !== undefined ? retention.key : ['rowid'];
  const key = sql.join(names.map((name) => sql.ref(name)));
  const isChosen =
    kind === 'postgres'
      ? sql`ctid = any(array(select ctid from ${sql.table(table)} where ${condition} limit ${limit} for update skip locked))`
      : sql`(${key}) in (select ${key} from ${sql.table(table)} where ${condition} limit ${limit})`;
  const { numAffectedRows } = await inTransaction(ctx.db, (trx) => sql`delete from ${sql.table(table)} where ${isChosen}`.execute(trx));
  return Number(numAffectedRows ?? 0);
}

/** Runs pieces until one is smaller than it was allowed to be, with as much time for everybody else after each as it took. */
async function inPieces({ isStopped }: Pick<Cleaning, 'isStopped'>, runPiece: (limit: number) => Promise<number>): Promise<number> {
  let limit = MIN_ROWS;
  let total = 0;
  while (!isStopped()) {
    const startedAt = performance.now();
    const count = await runPiece(limit);
    total += count;
    if (count < limit) break;
    const took = performance.now() - startedAt;
    const wanted = Math.round(limit * Math.min(2, PIECE_MS / Math.max(took, 1)));
    limit = Math.max(MIN_ROWS, Math.min(MAX_ROWS, wanted));
    await pause(took);
  }
  return total;
}

/** Deletes rows of tables without an age of their own, in pieces: all that a condition holds for. */
async function emptyInPieces(
  cleaning: Pick<Cleaning, 'ctx' | 'isStopped'>,
  table: TableName,
  condition: RawBuilder<SqlBool>,
): Promise<void> {
  await inPieces(cleaning, (limit) => deletePiece(cleaning.ctx, table, condition, limit));
}

/** A piece of rows with an id, after what belongs to them. */
async function deleteWithOthers(
  cleaning: Cleaning,
  { table, condition, first }: { table: TableName; condition: RawBuilder<SqlBool>; first: NonNullable<AgeRule['first']> },
  limit: number,
): Promise<number> {
  const { ctx, hooks } = cleaning;
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} where ${condition} limit ${limit}`.execute(ctx.reads);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  for (const { table: other, by } of first)
    await emptyInPieces(cleaning, other, sql<SqlBool>`${sql.ref(by)} in ${ctx.database.tools.idList(ids)}`);
  if (cleaning.isStopped()) return 0;
  await hooks[table]?.(ids);
  await deletePiece(ctx, table, sql<SqlBool>`id in ${ctx.database.tools.idList(ids)} and ${condition}`, ids.length);
  return ids.length;
}

async function cleanTable(cleaning: Cleaning, table: TableName, rule: AgeRule): Promise<number> {
  const { ctx, hooks } = cleaning;
  const condition = ageCondition(rule, ctx);
  const { first = [] } = rule;
  if (first.length === 0 && !hooks[table]) return inPieces(cleaning, (limit) => deletePiece(ctx, table, condition, limit));
  return inPieces(cleaning, (limit) => deleteWithOthers(cleaning, { table, condition, first }, limit));
}

/** Which rows are too old by a rule. */
export function ageCondition({ age, from, where }: AgeRule, { clock, config }: Pick<Context, 'clock' | 'config'>): RawBuilder<SqlBool> {
  const end = clock.now() - AGES[age].ms(config);
  const isOld = sql<SqlBool>`${sql.ref(from)} <= ${end}`;
  return where ? sql<SqlBool>`${isOld} and ${where}` : isOld;
}

/** The rules of every table whose rows go by age. */
export function ageRules(): { table: TableName; rule: AgeRule }[] {
  return tables.flatMap((table) => {
    const retention = retentions[table];
    return retention.lives === 'aged' ? retention.rules.map((rule: AgeRule) => ({ table, rule })) : [];
  });
}

/**
 * Deletes everything that is older than it is kept, in every table; answers how many rows, without those that went with others. A table that cannot be
 * cleaned is named in the log and keeps no other one from it.
 */
export async function cleanTables(ctx: CleaningContext, hooks: CleaningHooks = {}, isStopped = (): boolean => false): Promise<number> {
  let total = 0;
  for (const { table, rule } of ageRules()) {
    total += await cleanTable({ ctx, hooks, isStopped }, table, rule).catch((error: unknown) => {
      ctx.log.error({ err: error, table }, 'old rows could not be deleted');
      return 0;
    });
  }
  return total;
}

/** Deletes old rows a minute after the start, and then every hour, until nothing is left. Answers the way to end it. */
export function startCleaning(ctx: Context, hooks: CleaningHooks): () => Promise<void> {
  let isStopped = false;
  let running: Promise<unknown> | undefined;
  const clean = async (): Promise<void> => {
    if (running) return;
    running = cleanTables(ctx, hooks, () => isStopped).finally(() => (running = undefined));
    await running;
  };
  const stops = [ctx.clock.after(MINUTE, clean), ctx.clock.every(HOUR, clean)];
  return async () => {
    isStopped = true;
    for (const stop of stops) stop();
    await running?.catch(() => undefined);
  };
}

const OF_DEVICES = tables.filter((table) => {
  const retention = retentions[table];
  return (
    retention.lives === 'aged' && /^(?:device_|alerts$|automation_logs$|monitoring_reports$)/.test(table) && table !== 'device_additions'
  );
});

/** Deletes what devices that are about to be deleted have gathered, in pieces: by their foreign keys it would be one statement of minutes. */
export async function emptyDevices(ctx: CleaningContext, deviceIds: readonly number[]): Promise<void> {
  const isTheirs = sql<SqlBool>`device_id in ${ctx.database.tools.idList(deviceIds)}`;
  for (const table of OF_DEVICES) await emptyInPieces({ ctx, isStopped: () => false }, table, isTheirs);
}
