import { ChevronLeft, ChevronRight } from 'lucide-react';

export interface PaginationProps {
  /** Counted from 1. */
  page: number;
  pageCount: number;
  size: number;
  sizes: readonly number[];
  labels: { region: string; range: string; size: string; previous: string; next: string; sizeOption: (size: number) => string };
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}

/** The foot of a list: which rows these are, how many a page has, and the way to the next ones. */
export function Pagination({ page, pageCount, size, sizes, labels, onPage, onSize }: PaginationProps) {
  return (
    <nav className="pagination" aria-label={labels.region}>
      <span className="pagination-range">{labels.range}</span>
      <label className="pagination-size">
        <span className="visually-hidden">{labels.size}</span>
        <select value={size} onChange={(event) => onSize(Number(event.target.value))}>
          {sizes.map((option) => (
            <option key={option} value={option}>
              {labels.sizeOption(option)}
            </option>
          ))}
        </select>
      </label>
      <span className="pagination-steps">
        <button
          type="button"
          className="pagination-step"
          aria-label={labels.previous}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <ChevronLeft size={16} aria-hidden />
        </button>
        <button
          type="button"
          className="pagination-step"
          aria-label={labels.next}
          disabled={page >= pageCount}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight size={16} aria-hidden />
        </button>
      </span>
    </nav>
  );
}
