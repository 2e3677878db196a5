import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { DAY } from '../../kernel/clock.ts';
import { SAMPLE_RETENTION_MS, type Rules } from './apply-event.ts';
import { draftOf, type DeviceRow } from './draft.ts';
import { writeDrafts } from './ingest.ts';

const CHUNK = 200;
const EVENT_RETENTION_MS = 90 * DAY;
const ROWS_PER_CLEANING = 5000;

/** Marks devices offline that were silent for three of their periods, also those of before a restart of the server. */
export async function sweepSilent(ctx: Context, rules: Rules): Promise<void> {
  for (;;) {
    const silent = await ctx.reads
      .selectFrom('devices')
      .select('id')
      .where('status', '=', 1)
      .where('silent_at', '<=', ctx.clock.now())
      .limit(CHUNK)
      .execute();
    if (silent.length === 0) return;
    const ids = ctx.database.tools.idList(silent.map((device) => device.id));
    await inTransaction(ctx.db, async (trx) => {
      const rows: DeviceRow[] = await trx
        .selectFrom('devices')
        .innerJoin('companies', 'companies.id', 'devices.company_id')
        .selectAll('devices')
        .select('companies.path as company_path')
        .where('devices.id', 'in', ids)
        .execute();
      const drafts = rows.map(draftOf);
      for (const draft of drafts) rules.applySilence(draft);
      await writeDrafts(ctx, trx, drafts);
    });
    if (silent.length < CHUNK) return;
    await nextTurn();
  }
}

/** Deletes readings older than 30 days and events older than 90, some thousand rows at a time. */
export async function forgetOld(ctx: Context): Promise<void> {
  const sampleEnd = ctx.clock.now() - SAMPLE_RETENTION_MS;
  const times = await ctx.reads
    .selectFrom('device_samples')
    .select('at')
    .where('at', '<', sampleEnd)
    .orderBy('at')
    .limit(ROWS_PER_CLEANING)
    .execute();
  const last = times.at(-1);
  if (last) await ctx.db.deleteFrom('device_samples').where('at', '<=', last.at).execute();
  const events = await ctx.reads
    .selectFrom('device_events')
    .select('id')
    .where('at', '<', ctx.clock.now() - EVENT_RETENTION_MS)
    .orderBy('at')
    .limit(ROWS_PER_CLEANING)
    .execute();
  if (events.length > 0)
    await ctx.db
      .deleteFrom('device_events')
      .where('id', 'in', ctx.database.tools.idList(events.map((event) => event.id)))
      .execute();
}
