import { useT } from '../../kernel/i18n/index.ts';
import { Pagination } from '../../ui/index.ts';
import { PAGE_SIZES, type ListState } from './list-state.ts';

interface ListFootProps {
  state: ListState;
  pageCount: number;
  /** Rows on this page, and in all; undefined while there are none to count. */
  rows: { here: number; all: number } | undefined;
  onPage(page: number): void;
  onSize(size: number): void;
}

/** Which rows of how many are shown, the way to the others, and how many are on a page. */
export function ListFoot({ state, pageCount, rows, onPage, onSize }: ListFootProps) {
  const t = useT();
  const from = (state.page - 1) * state.size + 1;
  return (
    <Pagination
      page={state.page}
      pageCount={pageCount}
      size={state.size}
      sizes={PAGE_SIZES}
      labels={{
        region: t('table.paging'),
        range: rows === undefined ? '' : t('table.range', { from, to: from + rows.here - 1, count: rows.all }),
        size: t('table.pageSize'),
        previous: t('table.previousPage'),
        next: t('table.nextPage'),
        sizeOption: (size) => t('table.perPage', { count: size }),
      }}
      onPage={onPage}
      onSize={onSize}
    />
  );
}
