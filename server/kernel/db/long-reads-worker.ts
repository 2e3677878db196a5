import { parentPort, workerData } from 'node:worker_threads';
import type { StatementSync } from 'node:sqlite';
import { bindValues, openSqlite } from '../../db/open-sqlite.ts';
import type { CsvColumn } from './csv.ts';
import { tableWriter, type ExportOptions } from './export-writers.ts';
import type { ValueCounts } from './long-reads.ts';

/** What the main thread asks; `id` parts the calls. */
export type LongReadRequest = { id: number } & (
  | { kind: 'rows' | 'numbers' | 'count-values'; sql: string; parameters: readonly unknown[] }
  | { kind: 'open-table'; sql: string; parameters: readonly unknown[]; columns: readonly CsvColumn[]; options: ExportOptions | undefined }
  | { kind: 'next-table' | 'close-table' }
);

/** What the thread answers. */
export type LongReadAnswer = { id: number } & ({ value: unknown } | { error: { message: string; errcode: number | undefined } });

const CHUNK_BYTES = 128 * 1024;
const MAX_BYTES_PER_CHAR = 3;
// The thread reads once and passes on: a large page cache would only cost memory.
const CACHE_KIB = 8 * 1024;

const port = parentPort;
if (!port) throw new Error('long-reads-worker runs as a worker thread');
const database = openSqlite(String(workerData.file), { readOnly: true });
database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);

function prepare(request: { sql: string }): StatementSync {
  return database.prepare(request.sql);
}

function readNumbers(request: { sql: string; parameters: readonly unknown[] }): Float64Array {
  const statement = prepare(request);
  statement.setReturnArrays(true);
  const numbers: number[] = [];
  for (const row of statement.iterate(...bindValues(request.parameters))) numbers.push(Number(Object.values(row)[0]));
  return Float64Array.from(numbers);
}

function countValues(request: { sql: string; parameters: readonly unknown[] }): ValueCounts {
  const statement = prepare(request);
  const names = statement.columns().map((column) => column.name);
  statement.setReturnArrays(true);
  const counts = names.map(() => new Map<unknown, number>());
  for (const row of statement.iterate(...bindValues(request.parameters)) as Iterable<unknown>) {
    const values = row as unknown[];
    for (let index = 0; index < counts.length; index += 1) {
      const count = counts[index];
      const value = values[index];
      count?.set(value, (count.get(value) ?? 0) + 1);
    }
  }
  return Object.fromEntries(
    names.map((name, index) => [name, Object.fromEntries([...(counts[index] ?? [])].map(([value, count]) => [String(value), count]))]),
  );
}

type OpenTable = Extract<LongReadRequest, { kind: 'open-table' }>;

/** Lines go into one piece of memory as they are made: text that is put together in the heap first outlives the young generation and piles up. */
function* tableChunks(request: OpenTable): Generator<Uint8Array<ArrayBuffer>> {
  const writer = tableWriter(request.columns, request.options);
  const statement = prepare(request);
  statement.setReturnArrays(true);
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let used = chunk.write(writer.head());
  for (const values of statement.iterate(...bindValues(request.parameters)) as Iterable<unknown>) {
    const line = writer.row(values as readonly unknown[]);
    const most = line.length * MAX_BYTES_PER_CHAR;
    if (used + most > chunk.length) {
      yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, most));
      used = 0;
    }
    used += chunk.write(line, used);
  }
  yield chunk.subarray(0, used);
  const foot = writer.foot();
  // Memory of its own: what is sent is moved to the other thread.
  if (foot !== '') yield new Uint8Array(new TextEncoder().encode(foot));
}

const exports = new Map<number, Generator<Uint8Array<ArrayBuffer>>>();

function nextChunk(id: number): Uint8Array<ArrayBuffer> | null {
  const step = exports.get(id)?.next();
  if (!step || step.done) {
    exports.delete(id);
    return null;
  }
  return step.value;
}

function answer(request: LongReadRequest): { value: unknown; transfer: ArrayBuffer[] } {
  switch (request.kind) {
    case 'rows':
      return { value: prepare(request).all(...bindValues(request.parameters)), transfer: [] };
    case 'numbers': {
      const value = readNumbers(request);
      return { value, transfer: value.buffer instanceof ArrayBuffer ? [value.buffer] : [] };
    }
    case 'count-values':
      return { value: countValues(request), transfer: [] };
    case 'open-table':
      exports.set(request.id, tableChunks(request));
      return { value: null, transfer: [] };
    case 'next-table': {
      const value = nextChunk(request.id);
      return { value, transfer: value ? [value.buffer] : [] };
    }
    case 'close-table':
      exports.get(request.id)?.return(undefined);
      exports.delete(request.id);
      return { value: null, transfer: [] };
  }
}

port.on('message', (request: LongReadRequest) => {
  try {
    const { value, transfer } = answer(request);
    port.postMessage({ id: request.id, value } satisfies LongReadAnswer, transfer);
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
    const message = error instanceof Error ? error.message : String(error);
    port.postMessage({ id: request.id, error: { message, errcode } } satisfies LongReadAnswer);
  }
});
