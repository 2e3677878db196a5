import type { Context } from '../../context.ts';
import { runInHelper, type Helper } from '../../kernel/costly/helper-process.ts';
import type { BackTestInput } from './back-test-worker.ts';
import type { BackTest, TestedDevice } from './replay.ts';
import type { Rule } from './types.ts';

const HELPER: Helper = { entry: new URL('./back-test-worker.ts', import.meta.url), heapMb: 128, isReadingDatabase: true };

/** How often a rule would have acted on these devices in the last 30 days, and when, found out in a process of its own. Throws WORK_TOO_LARGE. */
export function backTest(ctx: Context, rule: Rule, devices: TestedDevice[], signal: AbortSignal): Promise<BackTest> {
  const { url, file } = ctx.database;
  const input: BackTestInput = {
    database: { url, file },
    rule,
    devices,
    now: ctx.clock.now(),
    telemetryRawMs: ctx.config.telemetryRawMs,
  };
  return runInHelper(HELPER, input, signal);
}
