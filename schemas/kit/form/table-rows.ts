import { itemOf } from './schema-parts.ts';
import { checkItem, valueOfText } from './check-item.ts';
import { normalizeText } from './normalize-text.ts';
import type { ErrorItem, JsonPrimitive, JsonSchema, JsonValue } from './types.ts';

/** A row of a table input: values by column. */
export type TableRow = Record<string, JsonValue>;

/** The rows of a table's value; what is no row becomes an empty one. */
export function rowsOf(value: JsonValue | undefined): TableRow[] {
  if (!Array.isArray(value)) return [];
  return value.map((row) => (typeof row === 'object' && row !== null && !Array.isArray(row) ? row : {}));
}

/** Whether a row is empty. */
export function isBlankRow(row: TableRow): boolean {
  return Object.values(row).every((value) => value === '' || value === null || value === false);
}

/** The rows with another value in one cell; an emptied cell is left out of its row. */
export function withCell(rows: readonly TableRow[], index: number, column: string, value: JsonValue | undefined): TableRow[] {
  return rows.map((row, position) => {
    if (position !== index) return row;
    const { [column]: _before, ...others } = row;
    return value === undefined || value === '' ? others : { ...row, [column]: value };
  });
}

/** A cell's text as its column wants it: a number, a yes or no, one spelling; the text itself where it is none. */
export function cellOfText(schema: JsonSchema, text: string): JsonPrimitive {
  if (schema.type === 'boolean') {
    if (/^(?:1|true|yes|x)$/i.test(text)) return true;
    if (/^(?:0|false|no)$/i.test(text)) return false;
  }
  return valueOfText(schema, normalizeText(schema.format, text));
}

/**
 * The rows with cells pasted from a spreadsheet (tabs and lines), from one cell on to the right and down; rows are added up to `maxItems`.
 * What lies beyond the last column or row is answered as `left`.
 */
export function pasteCells(
  rows: readonly TableRow[],
  text: string,
  at: { row: number; column: number },
  { items, maxItems = Infinity }: JsonSchema,
): { rows: TableRow[]; left: number } {
  const columns = Object.entries(itemOf({ items })?.properties ?? {});
  let next = [...rows];
  let left = 0;
  for (const [down, line] of text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .entries()) {
    const index = at.row + down;
    for (const [right, cell] of line.split('\t').entries()) {
      const column = columns[at.column + right];
      if (!column || index >= maxItems) {
        left += cell.trim() === '' ? 0 : 1;
        continue;
      }
      while (next.length <= index) next.push({});
      next = withCell(next, index, column[0], cellOfText(column[1], cell.trim()));
    }
  }
  return { rows: next, left };
}

/** A line of a file as a row, with what is wrong by column. `order` names the columns of the cells; cells beyond it are in `left`. */
export function rowOfCells(
  { properties = {}, required = [] }: JsonSchema,
  order: readonly string[],
  cells: readonly string[],
): { row: TableRow; faults: { column: string; fault: ErrorItem | 'missing' }[]; left: string[] } {
  const row: TableRow = {};
  const faults: { column: string; fault: ErrorItem | 'missing' }[] = [];
  for (const [index, column] of order.entries()) {
    const text = cells[index] ?? '';
    const schema = properties[column] ?? {};
    if (text === '') {
      if (required.includes(column)) faults.push({ column, fault: 'missing' });
      continue;
    }
    const value = cellOfText(schema, text);
    const [fault] = checkItem(schema, value);
    if (fault) faults.push({ column, fault });
    row[column] = value;
  }
  for (const column of required) if (!order.includes(column)) faults.push({ column, fault: 'missing' });
  return { row, faults, left: cells.slice(order.length).filter((cell) => cell !== '') };
}
