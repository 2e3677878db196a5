import type { Readable } from 'node:stream';
import type { CompiledQuery } from 'kysely';
import type { CsvColumn } from './csv.ts';
import type { ExportOptions } from './export-writers.ts';

/** How often each value of each selected column occurs: column → value as text (`null` for none) → number of rows. */
export type ValueCounts = Record<string, Record<string, number>>;

/** Reads that may take longer than the event loop can wait. They see the last commit and never wait for a writer. */
export interface LongReads extends AsyncDisposable {
  rows<R>(query: CompiledQuery<R>): Promise<R[]>;
  /** The first column of each row. */
  numbers(query: CompiledQuery): Promise<number[]>;
  /** Counts each selected column by itself, in one pass over the rows. */
  countValues(query: CompiledQuery): Promise<ValueCounts>;
  /** The rows as text in a format, UTF-8, read as fast as it is taken. The selected columns are in the order of `columns`. Ending the stream early ends the query. */
  table(query: CompiledQuery, columns: readonly CsvColumn[], options?: ExportOptions): Readable;
}
