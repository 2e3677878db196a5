import type { Key, ReactNode } from 'react';
import styles from './SmallTable.module.css';

export interface SmallTableColumn<R> {
  key: string;
  title: string;
  /** The heading is for screen readers only. */
  hidesTitle?: boolean;
  className?: string;
  render: (row: R) => ReactNode;
}

interface SmallTableProps<R> {
  columns: readonly SmallTableColumn<R>[];
  rows: readonly R[];
  keyOf: (row: R) => Key;
  isChosen?: (row: R) => boolean;
  /** The cells of the first column name their rows. */
  hasRowNames?: boolean;
  /** The columns speak for themselves. */
  hidesHead?: boolean;
  label?: string;
  className?: string;
}

/** A small table that stays as it is: nothing to sort, to choose or to load. */
export function SmallTable<R>({
  columns,
  rows,
  keyOf,
  isChosen,
  hasRowNames = false,
  hidesHead = false,
  label,
  className = styles.plain,
}: SmallTableProps<R>) {
  return (
    <table className={className} aria-label={label}>
      {hidesHead ? null : (
        <thead>
          <tr>
            {columns.map(({ key, title, hidesTitle }) => (
              <th key={key} scope="col" className={hidesTitle ? styles.hidden : undefined}>
                {hidesTitle ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-chosen={isChosen?.(row) || undefined}>
            {columns.map((column, index) =>
              hasRowNames && index === 0 ? (
                <th key={column.key} scope="row" className={column.className}>
                  {column.render(row)}
                </th>
              ) : (
                <td key={column.key} className={column.className}>
                  {column.render(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
