import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { DAY } from '../../kernel/clock.ts';
import type { Rules } from './apply-event.ts';
import { beginChanges, type DeviceRow } from './pending-changes.ts';
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
      const drafts = rows.map(beginChanges);
      for (const draft of drafts) rules.applySilence(draft);
      await writeDrafts(ctx, trx, drafts);
    });
    if (silent.length < CHUNK) return;
    await nextTurn();
  }
}

/** Deletes the oldest rows of a table up to a moment, some thousand at a time. */
async function forgetBefore(
  ctx: Context,
  table: 'device_samples' | 'device_hours' | 'device_days' | 'device_states' | 'device_positions',
  end: number,
): Promise<void> {
  const times = await ctx.reads.selectFrom(table).select('at').where('at', '<', end).orderBy('at').limit(ROWS_PER_CLEANING).execute();
  const last = times.at(-1);
  if (last) await ctx.db.deleteFrom(table).where('at', '<=', last.at).execute();
}

/** Deletes readings, their hours and days, and events that are older than they are kept. */
export async function forgetOld(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { telemetryRawMs, telemetryHoursMs, telemetryDaysMs } = ctx.config;
  await forgetBefore(ctx, 'device_samples', now - telemetryRawMs);
  await forgetBefore(ctx, 'device_hours', now - telemetryHoursMs);
  await forgetBefore(ctx, 'device_states', now - telemetryHoursMs);
  await forgetBefore(ctx, 'device_positions', now - telemetryHoursMs);
  await forgetBefore(ctx, 'device_days', now - telemetryDaysMs);
  await ctx.db
    .deleteFrom('device_traffic')
    .where('day', '<', now - telemetryDaysMs)
    .execute();
  await ctx.db
    .deleteFrom('sim_traffic')
    .where('day', '<', now - telemetryDaysMs)
    .execute();
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
