import type { Logger } from 'pino';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { noCells, readCells, type CellTable } from './cell-table.ts';
import { putPlaces } from './put-places.ts';

const CHUNK = 200;

/** The table of cells of this installation; an empty one, with a line in the log, where it cannot be read. */
export async function openCells(path: string | undefined, log: Logger): Promise<CellTable> {
  if (path === undefined) return noCells;
  try {
    const cells = await readCells(path);
    log.info({ cells: cells.size }, 'mobile cells read');
    if (cells.size === 0)
      log.warn({ path }, 'the table of mobile cells has no line that is a cell: it has to be CSV, unpacked, with commas');
    if (cells.isCut) log.warn({ path }, 'the table of mobile cells has more than are kept: the rest is not used');
    return cells;
  } catch (error) {
    log.error({ err: error, path }, 'the table of mobile cells cannot be read');
    return noCells;
  }
}

/** Places the devices that nothing else places, after a table was installed or changed. */
export async function placeByCells(ctx: Pick<Context, 'db' | 'database' | 'cells' | 'clock'>): Promise<void> {
  const devices = await ctx.db
    .selectFrom('devices')
    .leftJoin('device_places', 'device_places.device_id', 'devices.id')
    .select('devices.id')
    .where('devices.cell_id', 'is not', null)
    .where((where) => where.or([where('device_places.source', 'is', null), where('device_places.source', '=', 'cell')]))
    .orderBy('devices.id')
    .execute();
  for (let start = 0; start < devices.length; start += CHUNK)
    await inTransaction(ctx.db, (trx) =>
      putPlaces(
        trx,
        ctx,
        devices.slice(start, start + CHUNK).map(({ id }) => id),
        ctx.clock.now(),
      ),
    );
}
