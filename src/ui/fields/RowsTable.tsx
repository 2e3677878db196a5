import { useT } from '../../kernel/i18n/index.ts';
import { IconButton } from '../IconButton.tsx';
import { Caption } from './FieldFrame.tsx';
import styles from './rows.module.css';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';

export interface RowsColumn {
  key: string;
  title: string;
  isRequired: boolean;
}

export interface RowsTableProps {
  label: string;
  columns: readonly RowsColumn[];
  rowCount: number;
  disabled?: boolean;
  /** The control of a cell. It says which cell it is by `aria-label`, as headings are far from it for a screen reader in a form. */
  renderCell: (row: number, column: RowsColumn, label: string) => ReactNode;
  /** What is wrong with a cell, and the id that its control names. */
  fault: (row: number, column: RowsColumn) => { id: string; message: string } | undefined;
  onRemove: (row: number) => void;
  /** Enter in a cell; the next row is there or wanted. */
  onEnter: (row: number, column: number) => void;
  /** Cells of a spreadsheet; answer whether they were taken. */
  onPasteCells: (text: string, row: number, column: number) => boolean;
}

/** A small table to fill in: a control in each cell, its fault below it, a button at the end of each row. */
export function RowsTable({ label, columns, rowCount, disabled, renderCell, fault, onRemove, onEnter, onPasteCells }: RowsTableProps) {
  const t = useT();

  function handleKeyDown(event: KeyboardEvent, row: number, column: number): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    onEnter(row, column);
  }

  function handlePaste(event: ClipboardEvent, row: number, column: number): void {
    if (onPasteCells(event.clipboardData.getData('text'), row, column)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  return (
    // Focusable, because a region that scrolls must be reachable without a mouse.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col">
                <Caption label={column.title} isRequired={column.isRequired} />
              </th>
            ))}
            <th>
              <span className="visually-hidden">{t('form.rows.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rowCount }, (_, row) => (
            <tr key={row}>
              {columns.map((column, position) => {
                const wrong = fault(row, column);
                return (
                  <td
                    key={column.key}
                    data-cell={`${row}-${position}`}
                    onKeyDown={(event) => handleKeyDown(event, row, position)}
                    onPasteCapture={(event) => handlePaste(event, row, position)}
                  >
                    {renderCell(row, column, t('form.rows.cell', { title: column.title, row: row + 1 }))}
                    {wrong ? (
                      <p id={wrong.id} className={styles.fault}>
                        {wrong.message}
                      </p>
                    ) : null}
                  </td>
                );
              })}
              <td className={styles.tools}>
                <IconButton
                  icon="trash-2"
                  size="small"
                  label={t('form.rows.remove', { row: row + 1 })}
                  disabled={disabled}
                  onClick={() => onRemove(row)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
