import type { CSSProperties, ReactNode } from 'react';
import { Icon } from '../Icon.tsx';
import styles from './Table.module.css';

export interface SortHeaderProps {
  columnKey: string;
  text: string;
  align?: 'start' | 'end';
  isSortable: boolean;
  /** The present order by this column; `undefined` when the list is ordered by another one. */
  order: 'asc' | 'desc' | undefined;
  /** Where it stays while the table scrolls sideways. */
  pin: CSSProperties | undefined;
  onSort: () => void;
  /** The handle at its edge. */
  children?: ReactNode;
}

/** A column's head; a button where the column can be sorted, so that it works by keyboard and says its state. */
export function SortHeader({ columnKey, text, align = 'start', isSortable, order, pin, onSort, children }: SortHeaderProps) {
  const ariaSort = order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : undefined;
  return (
    <th
      scope="col"
      className={styles.head}
      data-align={align}
      data-column={columnKey}
      data-pin={pin && ''}
      style={pin}
      aria-sort={ariaSort}
    >
      {isSortable ? (
        <button type="button" className={styles.sort} onClick={onSort}>
          <span className={styles.headText}>{text}</span>
          <span className={styles.sortMark} data-order={order}>
            <Icon name={order === 'desc' ? 'arrow-down' : 'arrow-up'} size={12} />
          </span>
        </button>
      ) : (
        <span className={styles.headText}>{text}</span>
      )}
      {children}
    </th>
  );
}
