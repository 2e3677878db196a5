import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import type { DeviceNews } from '../../domain/devices/watchers.ts';
import { emptyState } from './engine.ts';
import type { LiveAutomation } from './stored-rule.ts';
import type { Outcome } from './types.ts';

export const ROWS_PER_STATEMENT = 50;

export type StateRow = Row<'automation_devices'>;

/** An automation and a device that it is evaluated for. */
export interface Pair {
  automation: LiveAutomation;
  news: DeviceNews;
  known: StateRow | undefined;
  isReport: boolean;
}

/** A pair that was evaluated, with what it remembers from now on. */
export type Evaluation = Pair & { outcome: Outcome; state: string; isNew: boolean };

export const keyOf = (automationId: number, deviceId: number): string => `${automationId} ${deviceId}`;

/** The state of a rule that remembers nothing. */
export const NOTHING = JSON.stringify(emptyState());

/** What automations remember of these devices, by `keyOf`. */
export async function readStates(ctx: Context, trx: Trx, deviceIds: readonly number[]): Promise<Map<string, StateRow>> {
  const rows = await trx
    .selectFrom('automation_devices')
    .selectAll()
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .execute();
  return new Map(rows.map((row) => [keyOf(row.automation_id, row.device_id), row]));
}

/** Writes what an evaluation left behind; a device that has nothing to remember and was not chosen needs no row. */
export async function keepStates(ctx: Context, trx: Trx, pairs: readonly Evaluation[]): Promise<void> {
  const at = ctx.clock.now();
  const rows = pairs.flatMap(({ automation, news, known, outcome, state, isNew }): NewRow<'automation_devices'>[] => {
    const count = outcome.fired.length;
    if (!isNew && count === 0) return [];
    return [
      {
        automation_id: automation.row.id,
        device_id: news.row.id,
        is_enabled: known?.is_enabled ?? 1,
        state,
        due_at: outcome.dueAt ?? null,
        triggered_count: (known?.triggered_count ?? 0) + count,
        last_triggered_at: count > 0 ? at : (known?.last_triggered_at ?? null),
        created_at: known?.created_at ?? at,
      },
    ];
  });
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    if (start > 0) await nextTurn();
    await trx
      .insertInto('automation_devices')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['automation_id', 'device_id']).doUpdateSet((eb) => ({
          state: eb.ref('excluded.state'),
          due_at: eb.ref('excluded.due_at'),
          triggered_count: eb.ref('excluded.triggered_count'),
          last_triggered_at: eb.ref('excluded.last_triggered_at'),
        })),
      )
      .execute();
  }
}
