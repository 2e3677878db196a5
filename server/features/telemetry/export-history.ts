import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { stream, type Answer } from '../../kernel/answer.ts';
import { DAY, HOUR, MINUTE, wireTime } from '../../kernel/clock.ts';
import type { CsvColumn } from '../../kernel/db/csv.ts';
import { tableWriter } from '../../kernel/db/export-writers.ts';
import { packSheet } from '../../kernel/db/pack-sheet.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { EXPORT_TYPES } from '../../kernel/export-answer.ts';
import { momentAfter, momentOf } from '../../kernel/moments.ts';
import { readStates } from './series.ts';

type Asked = FormData['devices/export-history'];

const STEPS = { minutes: 5 * MINUTE, hour: HOUR, day: DAY } as const;
const LONGEST_DAYS = { changes: 31, minutes: 31, hour: 92, day: 366 } as const;
const MOST_ROWS = 50_000;
const TEXTS: ReadonlySet<string> = new Set([
  ...['firmware', 'status', 'operator', 'operator_number', 'connection_type', 'network_state', 'sim_slot', 'iccid', 'wan_state', 'wan_ip'],
  ...['mobile_ip', 'cell_id', 'lac'],
]);

/** A moment (Unix ms) with what changed at it, or was read in the step that begins there. */
type Rows = Map<number, Record<string, string | number>>;

/** Readings: each one, or averages of steps; counters by their highest. Hours and days serve where readings are not kept. */
async function readNumbers(ctx: Context, deviceId: number, names: readonly string[], { start, end, step }: Span): Promise<Rows> {
  const rows: Rows = new Map();
  if (names.length === 0) return rows;
  const table = step === DAY ? 'device_days' : step === HOUR ? 'device_hours' : 'device_samples';
  const values = table === 'device_samples' ? sql`value as total, 1 as readings, value as highest` : sql`total, readings, highest`;
  const width = step ?? 1;
  const counters = sql.join(['sent', 'received', 'router_uptime']);
  const query = sql<{ metric: string; step: number; value: number }>`select metric, at / cast(${width} as bigint) as step,
    case when metric in (${counters}) then max(highest) else sum(total) / sum(readings) end as value
    from (select metric, at, ${values} from ${sql.table(table)} where device_id = ${deviceId} and metric in (${sql.join(names)})
      and at >= ${start - (start % width)} and at < ${end}) as readings group by 1, 2 limit ${MOST_ROWS * names.length}`;
  for (const { metric, step: index, value } of await ctx.database.longReads.rows(query.compile(ctx.reads))) {
    const at = Number(index) * width;
    rows.set(at, { ...rows.get(at), [metric]: Math.round(Number(value) * 100) / 100 });
  }
  return rows;
}

interface Span {
  start: number;
  end: number;
  /** undefined: every change and reading. */
  step: number | undefined;
}

/** Texts when they changed, or what they were at the end of each step in which anything was read. */
function addTexts(rows: Rows, states: Awaited<ReturnType<typeof readStates>>, { start, end, step }: Span): void {
  if (step === undefined) {
    for (const { metric, spans } of states)
      for (const [from, , value] of spans) rows.set(from * 1000, { ...rows.get(from * 1000), [metric]: value });
    return;
  }
  if (states.length === 0) return;
  const times =
    rows.size > 0
      ? [...rows.keys()].toSorted((a, b) => a - b)
      : Array.from({ length: Math.ceil((end - start) / step) }, (_, index) => start - (start % step) + index * step);
  for (const { metric, spans } of states) {
    let index = -1;
    for (const at of times) {
      const last = Math.min(at + step, end) / 1000;
      while ((spans[index + 1]?.[0] ?? last) < last) index += 1;
      const span = spans[index];
      if (span) rows.set(at, { ...rows.get(at), [metric]: span[2] });
    }
  }
}

function spanOf(now: number, { start_date, end_date, interval }: Asked): Span {
  const start = momentOf(start_date);
  const end = Math.min(momentAfter(end_date), now + 1);
  if (!(start < end)) throw new InvalidFields([{ source: 'end_date', message: 'Choose an end after the beginning.', params: { key: 'forms.devices.export-history.order' } }]); // prettier-ignore
  const most = LONGEST_DAYS[interval];
  if (end - start > most * DAY)
    throw new InvalidFields([
      {
        source: 'start_date',
        message: `Choose at most ${most} days for this interval.`,
        params: { key: 'forms.devices.export-history.too_long', count: most },
      },
    ]);
  return { start, end, step: interval === 'changes' ? undefined : STEPS[interval] };
}

/**
 * Parameters of a device over a period as a file: a row for each change and reading, or for each step. Times are UTC. Throws INVALID_FIELD for a period that ends
 * before it begins or is too long. The caller has checked that the actor sees the device.
 */
export async function exportHistory(ctx: Context, device: { id: number; serial: string }, asked: Asked): Promise<Answer> {
  const span = spanOf(ctx.clock.now(), asked);
  const names = [...new Set(asked.parameters)];
  const rows = await readNumbers(ctx, device.id, names.filter((name) => !TEXTS.has(name)), span); // prettier-ignore
  addTexts(rows, await readStates(ctx, device.id, names.filter((name) => TEXTS.has(name)), span), span); // prettier-ignore
  const times = [...rows.keys()].toSorted((a, b) => a - b).slice(0, MOST_ROWS);
  const columns: CsvColumn[] = [
    { header: 'time', kind: 'time' },
    ...names.map((header): CsvColumn => ({ header, kind: TEXTS.has(header) ? 'text' : 'number' })),
  ];
  const writer = tableWriter(columns, { format: asked.format });
  const lines = function* (): Generator<string> {
    yield writer.head();
    for (const at of times) yield writer.row([at, ...names.map((name) => rows.get(at)?.[name] ?? null)]);
    yield writer.foot();
  };
  const table = Readable.from(lines());
  const serial = device.serial.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return stream(asked.format === 'xlsx' ? await packSheet(table) : table, {
    'content-type': EXPORT_TYPES[asked.format],
    'content-disposition': `attachment; filename="history-${serial}-${wireTime(span.start).slice(0, 10)}.${asked.format}"`,
  });
}
