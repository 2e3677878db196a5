/** A column of a table: its share of the width, and whether it is at the right. */
export interface PdfColumn {
  title: string;
  share: number;
  align?: 'end';
}

export interface PdfTable {
  title: string;
  columns: readonly PdfColumn[];
  /** A text for each column. */
  rows: readonly (readonly string[])[];
  /** Said in place of rows where there are none. */
  empty: string;
  /** Said below the rows. */
  note?: string;
}

/** A report as data: texts in the reader's language, whatever characters they hold. */
export interface PdfDocument {
  /** A code such as `nb`, for programs that read aloud. */
  language: string;
  title: string;
  subtitle: string;
  facts: readonly { label: string; value: string }[];
  tables: readonly PdfTable[];
  /** At the foot of each page, with `{page}` and `{pages}`. */
  footer: string;
  /** Unix ms. */
  madeAt: number;
}
