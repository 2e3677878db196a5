import { ArrowDown, ArrowUp } from 'lucide-react';

export interface SortHeaderProps {
  columnKey: string;
  text: string;
  align?: 'start' | 'end';
  sortable: boolean;
  /** The present order by this column; `undefined` when the list is ordered by another one. */
  order: 'asc' | 'desc' | undefined;
  onSort: (columnKey: string) => void;
}

/** A column's head; a button where the column can be sorted, so that it works by keyboard and says its state. */
export function SortHeader({ columnKey, text, align = 'start', sortable, order, onSort }: SortHeaderProps) {
  const ariaSort = order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : undefined;
  return (
    <th scope="col" className="table-head" data-align={align} aria-sort={ariaSort}>
      {sortable ? (
        <button type="button" className="table-sort" onClick={() => onSort(columnKey)}>
          <span className="table-head-text">{text}</span>
          <span className="table-sort-mark" data-order={order}>
            {order === 'desc' ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />}
          </span>
        </button>
      ) : (
        <span className="table-head-text">{text}</span>
      )}
    </th>
  );
}
