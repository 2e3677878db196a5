import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  functionalUpdate,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo, useRef, useState } from 'react';
import type { columnResizingState, ColumnSizingState, Updater } from '@tanstack/react-table';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { LivePage } from '../live/live-rows.ts';
import type { Row } from '../resources/resource.ts';
import { columnStateOf, withColumnState } from './column-settings.ts';
import { headingPx, layOutColumns, sizedByHand } from './column-widths.ts';
import type { ColumnState } from './column-settings.ts';
import type { SortKey } from './list-state.ts';
import type { ColumnControl } from './use-column-settings.ts';
import type { SelectionControl } from './use-selection.ts';

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
});
const helper = createColumnHelper<typeof features, Row>();
const CHECK_PX = 42;
const MENU_PX = 52;
const NARROW_MENU_PX = 46;
const NOT_RESIZING: columnResizingState = {
  startOffset: null,
  startSize: null,
  deltaOffset: null,
  deltaPercentage: null,
  isResizingColumn: false,
  columnSizingStart: [],
};

export interface ListTableOptions {
  columns: ColumnControl;
  page: LivePage;
  sort: readonly SortKey[];
  selection: SelectionControl;
  canSelect: boolean;
  hasMenu: boolean;
  isNarrow: boolean;
  /** Pixels inside the region that the table scrolls in; 0 while they are not known. */
  regionPx: number;
  onSort: (sort: SortKey[]) => void;
  /** The text of the heading of a column. */
  labelOf: (column: ColumnEntry) => string;
}

/**
 * The TanStack table of a list: order, visibility, pinning and widths of columns, selection and sorting are its state, controlled from where they
 * are kept (the user's settings on the server, the address, the selection over pages). Rows come ordered and paged from the server.
 */
export function useListTable({
  columns: control,
  page,
  sort,
  selection,
  canSelect,
  hasMenu,
  isNarrow,
  regionPx,
  onSort,
  labelOf,
}: ListTableOptions) {
  const { columns, settings, change } = control;
  const { rows, marks } = page;
  // Widths while an edge is dragged; kept on the server when it is let go.
  const [dragged, setDragged] = useState<ColumnSizingState | undefined>(undefined);
  // Letting go comes in the same event as the last width.
  const latestDrag = useRef<ColumnSizingState>(undefined);
  const [columnResizing, setResizing] = useState(NOT_RESIZING);
  const kept = useMemo(() => columnStateOf(columns, settings), [columns, settings]);
  const sized = dragged ?? kept.columnSizing;
  const checkPx = canSelect ? CHECK_PX : 0;
  const menuPx = !hasMenu ? 0 : isNarrow ? NARROW_MENU_PX : MENU_PX;
  const columnSizing = useMemo(() => {
    const visible = columns.filter((column) => kept.columnVisibility[column.key]);
    const leastOf = (column: ColumnEntry) => headingPx(labelOf(column), column.sortable === true);
    return layOutColumns(visible, regionPx - checkPx - menuPx, sized, leastOf);
    // The words follow from the columns and the language, with which the page is loaded again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [columns, kept.columnVisibility, regionPx, checkPx, menuPx, sized]);

  const definitions = useMemo(
    () =>
      helper.columns(
        columns.map((column) =>
          helper.accessor((row) => row[column.key], {
            id: column.key,
            enableSorting: column.sortable ?? false,
            enableHiding: !column.primary,
          }),
        ),
      ),
    [columns],
  );
  /** Keeps one part of the column state; `before` is what the table sees now. */
  function keeper<K extends keyof ColumnState>(key: K): (updater: Updater<ColumnState[K]>) => void {
    return (updater) => change(withColumnState(columns, settings, { [key]: functionalUpdate(updater, kept[key]) }));
  }
  const table = useTable({
    features,
    columns: definitions,
    // The engine reads rows, it never writes them; TanStack's option is typed as a mutable array.
    data: useMemo(() => [...rows], [rows]),
    getRowId: (row) => String(row.id),
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    sortDescFirst: false,
    columnResizeMode: 'onChange',
    enableRowSelection: (row) => canSelect && marks.get(row.original.id) !== 'removed',
    isRowRangeSelectionEvent: isShiftPress,
    state: {
      ...kept,
      columnSizing,
      columnResizing,
      rowSelection: selection.rowSelection,
      sorting: useMemo(() => sort.map(({ key, desc }) => ({ id: key, desc })), [sort]),
    },
    onColumnOrderChange: keeper('columnOrder'),
    onColumnVisibilityChange: keeper('columnVisibility'),
    onColumnPinningChange: keeper('columnPinning'),
    onColumnSizingChange: (updater) => {
      const next = sizedByHand(functionalUpdate(updater, columnSizing), columnSizing, sized);
      if (columnResizing.isResizingColumn === false) change(withColumnState(columns, settings, { columnSizing: next }));
      else setDragged((latestDrag.current = next));
    },
    onColumnResizingChange: (updater) => {
      const next = functionalUpdate(updater, columnResizing);
      setResizing(updater);
      if (next.isResizingColumn !== false || !latestDrag.current) return;
      change(withColumnState(columns, settings, { columnSizing: latestDrag.current }));
      setDragged((latestDrag.current = undefined));
    },
    onRowSelectionChange: (updater) => selection.change(functionalUpdate(updater, selection.rowSelection)),
    onSortingChange: (updater) =>
      onSort(
        functionalUpdate(
          updater,
          sort.map(({ key, desc }) => ({ id: key, desc })),
        ).map(({ id, desc }) => ({ key: id, desc })),
      ),
  });

  return { table, checkPx, menuPx, sized };
}

export type ListTableModel = ReturnType<typeof useListTable>;

/** The columns on screen from left to right: those pinned left, the others, those pinned right. */
export function shownColumns({ table }: Pick<ListTableModel, 'table'>, columns: readonly ColumnEntry[]): ColumnEntry[] {
  return orderedColumns({ table }, columns).filter((column) => table.getColumn(column.key)?.getIsVisible());
}

/** All columns in the order of the screen, hidden ones too. */
export function orderedColumns({ table }: Pick<ListTableModel, 'table'>, columns: readonly ColumnEntry[]): ColumnEntry[] {
  const ordered = [...table.getStartLeafColumns(), ...table.getCenterLeafColumns(), ...table.getEndLeafColumns()];
  return ordered.flatMap(({ id }) => columns.find((column) => column.key === id) ?? []);
}

function isShiftPress(event: unknown): boolean {
  if (typeof event !== 'object' || event === null || !('nativeEvent' in event)) return false;
  const { nativeEvent } = event;
  return typeof nativeEvent === 'object' && nativeEvent !== null && 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true;
}
