import { useRef, useState } from 'react';
import { isBlankRow, pasteCells, rowOfCells, rowsOf, withCell } from '../../../../../schemas/kit/form/table-rows.ts';
import { hasText, useT, useText, type Translate } from '../../../../kernel/i18n/index.ts';
import { Button, CsvImport, type CsvLine, type CsvVerdict, FieldGroup, type RowsColumn, RowsTable } from '../../../../ui/index.ts';
import { itemText } from '../../item-text.ts';
import { partOf } from './part-errors.ts';
import { TableCell } from './TableCell.tsx';
import styles from '../theme.module.css';
import type { ErrorItem, JsonSchema } from '../../../../../schemas/kit/form/types.ts';
import type { TableRow } from '../../../../../schemas/kit/form/table-rows.ts';
import { baseOf } from '../widget-base.ts';
import { itemsSchemaOf } from './items-schema.ts';
import type { FormWidgetProps } from '../widgets.ts';

/** Rows of a few values each: a list of objects. Faults are at their cell (`rows.2.port`); rows without anything in them go when the field is left. */
export function TableInputWidget(props: FormWidgetProps) {
  const { label, schema: property, options, value, control, items: errors, onChange } = props;
  const { disabled, onBlur } = baseOf(props);
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const [notice, setNotice] = useState('');
  const columns = useColumns(property);
  const rows = rowsOf(value);
  const isFull = rows.length >= (property.maxItems ?? Infinity);
  const schemas = itemsSchemaOf(property).properties ?? {};
  const faults = faultsByCell(errors, t);
  const [firstWrong] = faults.keys();

  /** The link of the error summary and the focus after a refusal lead to the first wrong cell. */
  const idOf = (cell: string): string => (cell === (firstWrong ?? `0.${columns[0]?.key ?? ''}`) ? control.id : `${control.id}-${cell}`);

  function focusCell(row: number, column: number): void {
    // The row may only be drawn in a moment.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"] :is(input, select)`)?.focus());
  }

  function addRow(): void {
    if (isFull) return;
    onChange([...rows, {}]);
    focusCell(rows.length, 0);
  }

  function handlePaste(text: string, row: number, column: number): boolean {
    if (!/[\t\n]/.test(text.replace(/\r?\n$/, ''))) return false;
    const pasted = pasteCells(rows, text, { row, column }, property);
    onChange(pasted.rows);
    setNotice(pasted.left > 0 ? t('form.rows.left', { count: pasted.left }) : '');
    return true;
  }

  return (
    <FieldGroup
      control={control}
      ref={box}
      onLeave={() => {
        if (rows.some(isBlankRow)) onChange(rows.filter((row) => !isBlankRow(row)));
        onBlur();
      }}
    >
      {rows.length > 0 ? (
        <RowsTable
          label={label}
          columns={columns}
          rowCount={rows.length}
          disabled={disabled}
          renderCell={(row, column, words) => (
            <TableCell
              schema={schemas[column.key] ?? {}}
              value={rows[row]?.[column.key]}
              attributes={{
                id: idOf(`${row}.${column.key}`),
                'aria-label': words,
                'aria-invalid': faults.has(`${row}.${column.key}`) || undefined,
                'aria-describedby': faults.has(`${row}.${column.key}`) ? `${control.id}-${row}.${column.key}-error` : undefined,
                'aria-required': column.isRequired || undefined,
              }}
              disabled={disabled}
              onChange={(next) => onChange(withCell(rows, row, column.key, next))}
            />
          )}
          fault={(row, column) => {
            const message = faults.get(`${row}.${column.key}`);
            return message === undefined ? undefined : { id: `${control.id}-${row}.${column.key}-error`, message };
          }}
          onRemove={(row) => {
            onChange(rows.filter((_, index) => index !== row));
            box.current?.querySelector<HTMLElement>('[data-add-row]')?.focus();
          }}
          onEnter={(row, column) => (row + 1 < rows.length ? focusCell(row + 1, column) : addRow())}
          onPasteCells={handlePaste}
        />
      ) : null}
      <div className={styles.rowsBar}>
        <Button
          size="small"
          icon="plus"
          data-add-row
          id={rows.length === 0 ? control.id : undefined}
          disabled={disabled || isFull}
          onClick={addRow}
        >
          {t('form.rows.add')}
        </Button>
        {options['showCsvUpload'] ? (
          <CsvImport
            columns={columns.map(({ title }) => title)}
            disabled={disabled}
            judge={(lines) => judgeLines(lines, columns, property, rows.length, t)}
            onAdd={(added: TableRow[]) => onChange([...rows, ...added])}
          />
        ) : null}
      </div>
      <span role="status">{notice}</span>
    </FieldGroup>
  );
}

/** The columns are the members of the list's items, in their order; a title is the schema's (a text's key, or words), else the text of `fields.<key>`. */
function useColumns(property: JsonSchema): RowsColumn[] {
  const items = itemsSchemaOf(property);
  const text = useText();
  const wordsOf = (name: string) => (hasText(name) ? text(name) : undefined);
  return Object.entries(items.properties ?? {}).map(([key, { title }]) => ({
    key,
    title: wordsOf(title ?? `fields.${key}`) ?? title ?? key,
    isRequired: items.required?.includes(key) ?? false,
  }));
}

/** Messages by `row.column`, in the order of the errors; what is wrong with a whole row is at its first cell. */
function faultsByCell(errors: readonly ErrorItem[], t: Translate): Map<string, string> {
  const faults = new Map<string, string>();
  for (const item of errors) {
    const [row, column] = partOf(item);
    if (row === undefined || column === undefined) continue;
    const cell = `${row}.${column}`;
    faults.set(cell, [faults.get(cell), itemText(item, undefined, t)].filter(Boolean).join(' '));
  }
  return faults;
}

function judgeLines(
  lines: readonly CsvLine[],
  columns: readonly RowsColumn[],
  property: JsonSchema,
  present: number,
  t: Translate,
): CsvVerdict<TableRow> {
  const { maxItems = Infinity } = property;
  const items = itemsSchemaOf(property);
  const heading = headingOf(lines[0], columns);
  const order = heading ?? columns.map(({ key }) => key);
  const titles = new Map(columns.map(({ key, title }) => [key, title]));
  const verdict: CsvVerdict<TableRow> = { values: [], rows: [], problems: [] };
  for (const { line, cells } of heading ? lines.slice(1) : lines) {
    const { row, faults, left } = rowOfCells(items, order, cells);
    const messages = faults.map(
      ({ column, fault }) => `${titles.get(column) ?? column}: ${fault === 'missing' ? t('form.required') : itemText(fault, undefined, t)}`,
    );
    if (left.length > 0) messages.push(t('form.rows.too_many', { count: order.length }));
    if (messages.length === 0 && present + verdict.values.length >= maxItems) messages.push(t('form.rows.full', { count: maxItems }));
    if (messages.length > 0) verdict.problems.push({ line, message: messages.join(' ') });
    else {
      verdict.values.push(row);
      verdict.rows.push(columns.map(({ key }) => String(row[key] ?? '')));
    }
  }
  return verdict;
}

/** The keys of a file's first line when each of its cells is a column's key or title. */
function headingOf(first: CsvLine | undefined, columns: readonly RowsColumn[]): string[] | undefined {
  const keys = first?.cells.map((cell) => {
    const word = cell.toLowerCase();
    return columns.find(({ key, title }) => key.toLowerCase() === word || title.toLowerCase() === word)?.key;
  });
  return keys?.every((key) => key !== undefined) ? keys : undefined;
}
