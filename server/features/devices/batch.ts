import type { Row, Trx } from '../../db/schema.ts';
import type { JobKind } from '../../domain/jobs/types.ts';

type ServerRun = Extract<JobKind['runs'], { on: 'server' }>['run'];
export type Batch = Parameters<ServerRun>[1];

/** The paths of the companies of these devices, by id. */
export async function findPaths(trx: Trx, devices: readonly Row<'devices'>[]): Promise<Map<number, string>> {
  const ids = [...new Set(devices.map((device) => device.company_id))];
  const rows = await trx.selectFrom('companies').select(['id', 'path']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.path]));
}

/** The tags of each device of a batch. */
export async function findTagIds(trx: Trx, { ctx, devices }: Batch): Promise<Map<number, number[]>> {
  const rows = await trx
    .selectFrom('device_tags')
    .selectAll()
    .where('device_id', 'in', ctx.database.tools.idList(devices.map((device) => device.id)))
    .execute();
  const groups = Map.groupBy(rows, (row) => row.device_id);
  return new Map([...groups].map(([id, pairs]) => [id, pairs.map((pair) => pair.tag_id)]));
}
