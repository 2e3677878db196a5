import { IconButton } from '../IconButton.tsx';
import { Select } from '../Select.tsx';
import styles from './Bars.module.css';

export interface PaginationProps {
  /** Counted from 1. */
  page: number;
  pageCount: number;
  size: number;
  sizes: readonly number[];
  labels: { region: string; range: string; size: string; previous: string; next: string; sizeOption(size: number): string };
  onPage(page: number): void;
  onSize(size: number): void;
}

/** The foot of a list: which rows these are, how many a page has, and the way to the next ones. */
export function Pagination({ page, pageCount, size, sizes, labels, onPage, onSize }: PaginationProps) {
  return (
    <nav className={styles.pagination} aria-label={labels.region}>
      <span>{labels.range}</span>
      <span className={styles.paginationControls}>
        <span>
          <Select
            aria-label={labels.size}
            value={size}
            choices={sizes.map((option) => ({ value: option, label: labels.sizeOption(option) }))}
            onChange={onSize}
          />
        </span>
        <span className={styles.steps}>
          <IconButton icon="chevron-left" label={labels.previous} disabled={page <= 1} onClick={() => onPage(page - 1)} />
          <IconButton icon="chevron-right" label={labels.next} disabled={page >= pageCount} onClick={() => onPage(page + 1)} />
        </span>
      </span>
    </nav>
  );
}
