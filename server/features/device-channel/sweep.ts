import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { sql, type SqlBool } from 'kysely';
import { SECOND } from '../../kernel/clock.ts';
import { SILENT_AFTER_PERIODS, type Hearing } from '../../domain/devices/hearing.ts';
import type { Rules } from './apply-event.ts';
import { beginChanges } from './pending-changes.ts';
import { lockDevices, writeDrafts } from './ingest.ts';

const CHUNK = 200;

/** Marks devices offline that were silent for three of their periods, also those of before a restart of the server. */
export async function sweepSilent(ctx: Context, rules: Rules, hearing: Hearing): Promise<void> {
  if (ctx.clock.now() < hearing.graceUntil) return;
  const heardPeriodSeconds = Math.floor((ctx.clock.now() - hearing.since) / (SILENT_AFTER_PERIODS * SECOND));
  for (;;) {
    const silent = await ctx.reads
      .selectFrom('devices')
      .select('id')
      .where('status', '=', 1)
      .where('silent_at', '<=', ctx.clock.now())
      .where('report_seconds', '<=', heardPeriodSeconds)
      .limit(CHUNK)
      .execute();
    if (silent.length === 0) return;
    const ids = ctx.database.tools.idList(silent.map((device) => device.id));
    await inTransaction(ctx.db, async (trx) => {
      const drafts = (await lockDevices(ctx, trx, sql<SqlBool>`devices.id in ${ids}`)).map(beginChanges);
      for (const draft of drafts) rules.applySilence(draft, hearing);
      await writeDrafts(ctx, trx, drafts);
    });
    if (silent.length < CHUNK) return;
    await nextTurn();
  }
}
