import type { Database } from '../../kernel/db/database.ts';
import { openOwnReads } from '../../kernel/db/database.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { serveHelper } from '../../kernel/costly/serve-helper.ts';
import { replayDevices, type BackTest, type TestedDevice } from './replay.ts';
import type { Rule } from './types.ts';

export interface BackTestInput {
  database: Pick<Database, 'url' | 'file'>;
  rule: Rule;
  devices: TestedDevice[];
  now: number;
  telemetryRawMs: number;
}

serveHelper(async ({ database, rule, devices, ...times }: BackTestInput): Promise<BackTest> => {
  const own = openOwnReads(database, MINUTE);
  return replayDevices({ ...own, ...times }, rule, devices);
});
