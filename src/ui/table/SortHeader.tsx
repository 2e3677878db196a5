import { Icon } from '../Icon.tsx';
import styles from './Table.module.css';

export interface SortHeaderProps {
  columnKey: string;
  text: string;
  align?: 'start' | 'end';
  isSortable: boolean;
  /** The present order by this column; `undefined` when the list is ordered by another one. */
  order: 'asc' | 'desc' | undefined;
  onSort(columnKey: string): void;
}

/** A column's head; a button where the column can be sorted, so that it works by keyboard and says its state. */
export function SortHeader({ columnKey, text, align = 'start', isSortable, order, onSort }: SortHeaderProps) {
  const ariaSort = order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : undefined;
  return (
    <th scope="col" className={styles.head} data-align={align} aria-sort={ariaSort}>
      {isSortable ? (
        <button type="button" className={styles.sort} onClick={() => onSort(columnKey)}>
          <span className={styles.headText}>{text}</span>
          <span className={styles.sortMark} data-order={order}>
            <Icon name={order === 'desc' ? 'arrow-down' : 'arrow-up'} size={12} />
          </span>
        </button>
      ) : (
        <span className={styles.headText}>{text}</span>
      )}
    </th>
  );
}
