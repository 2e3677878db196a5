import type { CompiledQuery } from 'kysely';
import type { Context } from '../context.ts';
import { stream, type Answer } from './answer.ts';
import { wireTime } from './clock.ts';
import type { CsvColumn } from './db/csv.ts';
import { zoneClock } from './db/export-times.ts';
import { EXPORT_FORMATS, type ExportFormat, type ExportOptions } from './db/export-writers.ts';
import { packSheet } from './db/pack-sheet.ts';
import { InvalidFields } from './errors.ts';

/** The content type of each format. */
export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** How a file is asked for (`format`, `timezone`, `bom`), and the rest of the query string. Throws INVALID_FIELD. */
export function readExportOptions(query: unknown): { options: ExportOptions; list: Record<string, unknown> } {
  const { bom, format: asked = 'csv', timezone, ...list } = query as Record<string, unknown>;
  const format = EXPORT_FORMATS.find((known) => known === asked);
  if (!format) throw new InvalidFields([{ source: 'format', message: `Use one of: ${EXPORT_FORMATS.join(', ')}.` }]);
  const zone = timezone === undefined || timezone === '' ? undefined : timezone;
  if (zone !== undefined && (typeof zone !== 'string' || !isZone(zone)))
    throw new InvalidFields([{ source: 'timezone', message: 'Use the name of a time zone, as Europe/Oslo.' }]);
  return { options: { format, timezone: zone, hasByteOrderMark: bom === '1' }, list };
}

function isZone(name: string): boolean {
  try {
    // Names only: an offset such as +01:00 is no zone.
    return /^[A-Za-z]/.test(name) && zoneClock(name) !== undefined;
  } catch {
    return false;
  }
}

/** The rows of a query as a file, streamed; its name carries the day in UTC. */
export async function exportAnswer(
  ctx: Context,
  { name, query, columns, options }: { name: string; query: CompiledQuery; columns: readonly CsvColumn[]; options: ExportOptions },
): Promise<Answer> {
  const { format = 'csv' } = options;
  const table = ctx.database.longReads.table(query, columns, options);
  const day = wireTime(ctx.clock.now()).slice(0, 10);
  return stream(format === 'xlsx' ? await packSheet(table) : table, {
    'content-type': EXPORT_TYPES[format],
    'content-disposition': `attachment; filename="${name}-${day}.${format}"`,
  });
}
