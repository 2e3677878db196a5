import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { sourceLine, type Source } from './sources.ts';

const COMMAND_SECONDS = 10;

interface Wanted {
  device_id: number;
  device_key: string;
  template_id: number | null;
  version: number | null;
  period: number | null;
  data: string | null;
}

/** What online devices are to collect: a row for each template, one without a template where there is none. Only templates of a device's company or above it count. */
async function readWanted(db: Db, tools: Context['database']['tools'], deviceIds: readonly number[]): Promise<Wanted[]> {
  const { rows } =
    await sql<Wanted>`select devices.id as device_id, devices.device_key, t.id as template_id, t.version, t.period, t.data from devices
    inner join companies as own on own.id = devices.company_id
    left join (select mt.id, mt.version, ma.period, mt.data, ma.device_id, c.path from monitoring_assignments as ma
      inner join monitoring_templates as mt on mt.id = ma.template_id and mt.is_enabled = 1
      inner join companies as c on c.id = mt.company_id where ma.is_enabled = 1) as t
      on t.device_id = devices.id and own.path like t.path || '%'
    where devices.id in ${tools.idList(deviceIds)} and devices.status = 1 and own.path >= '/' order by devices.id, t.id`.execute(db);
  return rows;
}

function bodyOf(wanted: readonly Wanted[]): string {
  return wanted
    .flatMap(({ template_id: id, version, period, data }) =>
      id === null
        ? []
        : [
            `template=${id} ${version} ${period}\n`,
            ...(JSON.parse(data ?? '[]') as Source[]).map((source) => `source=${sourceLine(source)}\n`),
          ],
    )
    .join('');
}

/** Gives devices that are online what they are to collect from now on; others get it when they are back. Never rejects. */
export async function askDevices(ctx: Context, deviceIds: readonly number[]): Promise<void> {
  if (deviceIds.length === 0) return;
  try {
    const wanted = Map.groupBy(await readWanted(ctx.db, ctx.database.tools, deviceIds), (row) => row.device_key);
    for (const [deviceKey, rows] of wanted) {
      const id = randomBytes(15).toString('base64url');
      const command = { id, verb: 'collect', deadlineAt: ctx.clock.now() + MINUTE, timeoutSeconds: COMMAND_SECONDS } as const;
      await ctx.devices
        .send(deviceKey, { ...command, body: bodyOf(rows) })
        .catch((error: unknown) => ctx.log.warn({ err: error, device: deviceKey }, 'a device could not be given what to collect'));
    }
  } catch (error) {
    ctx.log.error({ err: error }, 'devices could not be given what to collect');
  }
}
