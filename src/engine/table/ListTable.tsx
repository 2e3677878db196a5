import {
  columnOrderingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Suspense, useDeferredValue, useMemo, useState } from 'react';
import type { RefObject } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { ResizeHandle } from '../../ui/table/ResizeHandle.tsx';
import { SortHeader } from '../../ui/table/SortHeader.tsx';
import styles from '../../ui/table/Table.module.css';
import { TableFrame } from '../../ui/table/TableFrame.tsx';
import { TableSkeleton } from '../../ui/table/TableSkeleton.tsx';
import type { LivePage } from '../live/live-rows.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { sizeColumn } from './column-settings.ts';
import { fieldLabel, resourceTitle } from './labels.ts';
import { ListRow } from './ListRow.tsx';
import type { ListRowProps } from './ListRow.tsx';
import type { SortKey } from './list-state.ts';
import { isSelected } from './selection.ts';
import { layOutColumns, pinStyles } from './column-widths.ts';
import type { ColumnControl } from './use-column-settings.ts';
import type { SelectionControl } from './use-selection.ts';

export interface ListTableProps extends Pick<ListRowProps, 'actions' | 'canSelect' | 'isNarrow' | 'onAction' | 'openingAction'> {
  resource: Resource;
  control: ColumnControl;
  page: LivePage;
  sort: readonly SortKey[];
  /** Rows of the skeleton; 0 when the rows are here. */
  skeletonRows: number;
  isBusy: boolean;
  selection: SelectionControl;
  onSort: (key: string) => void;
  regionRef: RefObject<HTMLDivElement | null>;
}

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature, columnOrderingFeature });
const helper = createColumnHelper<typeof features, Row>();
const CHECK_PX = 42;
const MENU_PX = 52;
const NARROW_MENU_PX = 46;
/** Rows that are drawn at once, a screenful below head and filters; the others follow without holding these up. */
const FIRST_ROWS = 12;

/** The rows of a list as a real table: columns by TanStack Table, markup and look our own. */
export function ListTable(props: ListTableProps) {
  const { resource, control, page, sort, selection, isNarrow, skeletonRows, regionRef, ...rest } = props;
  const { all: columns, visible } = control;
  const t = useT();
  // While an edge is dragged; kept when it is let go.
  const [dragged, setDragged] = useState<{ key: string; px: number } | undefined>(undefined);
  const settings = dragged ? sizeColumn(control.settings, dragged.key, dragged.px) : control.settings;
  const definitions = useMemo(
    () =>
      helper.columns(
        columns.map((column) => helper.accessor((row) => row[column.key], { id: column.key, enableSorting: column.sortable ?? false })),
      ),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions,
    // The engine reads rows, it never writes them; TanStack's option is typed as a mutable array.
    data: useMemo(() => [...page.rows], [page.rows]),
    getRowId: (row) => String(row.id),
    manualSorting: true,
    state: {
      sorting: useMemo(() => sort.map(({ key, desc }) => ({ id: key, desc })), [sort]),
      columnOrder: useMemo(() => columns.map((column) => column.key), [columns]),
      columnVisibility: useMemo(
        () => Object.fromEntries(columns.map((column) => [column.key, visible.includes(column)])),
        [columns, visible],
      ),
    },
  });
  const shown = table.getVisibleLeafColumns();
  const drawn = useDeferredValue(Infinity, FIRST_ROWS);
  const checkPx = rest.canSelect ? CHECK_PX : 0;
  const hasMenu = rest.actions.length > 0;
  const menuPx = !hasMenu ? 0 : isNarrow ? NARROW_MENU_PX : MENU_PX;
  const { pinned, widths } = settings;
  const { layout, pins, cellPins } = useMemo(() => {
    const lengths = layOutColumns(visible, checkPx + menuPx, widths);
    const places = pinStyles(visible, pinned, lengths.widths, { leftPx: checkPx, rightPx: menuPx });
    // Without pins the style sheet keeps the primary cells, so that rows stay as they are while an edge is dragged.
    return { layout: lengths, pins: places, cellPins: visible.some((column) => pinned[column.key]) ? places : undefined };
  }, [visible, pinned, widths, checkPx, menuPx]);
  const skeletonColumns = (isNarrow ? 1 : visible.length) + (rest.canSelect ? 1 : 0) + (hasMenu ? 1 : 0);
  return (
    <TableFrame
      ref={regionRef}
      label={resourceTitle(resource)}
      density={settings.density}
      isBusy={rest.isBusy}
      minWidth={isNarrow ? undefined : layout.total}
      width={isNarrow || layout.isElastic ? undefined : layout.total}
    >
      <colgroup>
        {rest.canSelect ? <col style={{ inlineSize: checkPx }} /> : null}
        {isNarrow ? <col /> : visible.map((column, index) => <col key={column.key} style={{ inlineSize: layout.widths[index] }} />)}
        {hasMenu ? <col style={{ inlineSize: menuPx }} /> : null}
      </colgroup>
      {/* Where records stand in one column there is nothing to head but what is ticked. */}
      <thead className={isNarrow && !rest.canSelect ? 'visually-hidden' : undefined}>
        <tr>
          {rest.canSelect ? <PageCheckbox selection={selection} disabled={page.rows.length === 0} /> : null}
          {isNarrow ? (
            <th scope="col" className={styles.head}>
              {t('table.records')}
            </th>
          ) : (
            shown.map((column) => {
              const entry = visible.find((candidate) => candidate.key === column.id);
              const order = column.getIsSorted();
              return (
                <SortHeader
                  key={column.id}
                  columnKey={column.id}
                  text={fieldLabel(resource, column.id)}
                  align={entry?.align}
                  isSortable={column.getCanSort()}
                  order={order === false ? undefined : order}
                  pin={pins.get(column.id)}
                  onSort={rest.onSort}
                >
                  <ResizeHandle
                    onSize={(px, isDone) => {
                      setDragged(isDone ? undefined : { key: column.id, px });
                      if (isDone) control.change(sizeColumn(control.settings, column.id, px));
                    }}
                    onReset={() => control.change(sizeColumn(control.settings, column.id, undefined))}
                  />
                </SortHeader>
              );
            })
          )}
          {hasMenu ? (
            <th scope="col" className={styles.menuHead}>
              <span className="visually-hidden">{t('table.actions')}</span>
            </th>
          ) : null}
        </tr>
      </thead>
      {skeletonRows > 0 ? (
        <TableSkeleton rows={skeletonRows} columns={skeletonColumns} />
      ) : (
        <Suspense fallback={<TableSkeleton rows={page.rows.length} columns={skeletonColumns} />}>
          <tbody>
            {table
              .getRowModel()
              .rows.slice(0, drawn)
              .map(({ original: row }) => (
                <ListRow
                  key={row.id}
                  row={row}
                  resource={resource}
                  columns={visible}
                  pins={cellPins}
                  selected={isSelected(selection.selection, row.id)}
                  mark={page.marks.get(row.id)}
                  changes={page.changes.get(row.id)}
                  canSelect={rest.canSelect}
                  actions={rest.actions}
                  isNarrow={isNarrow}
                  onToggle={selection.toggle}
                  onAction={rest.onAction}
                  openingAction={rest.openingAction}
                />
              ))}
          </tbody>
        </Suspense>
      )}
    </TableFrame>
  );
}

function PageCheckbox({ selection, disabled }: { selection: SelectionControl; disabled: boolean }) {
  const t = useT();
  return (
    <th scope="col" className={styles.checkHead}>
      <Checkbox
        aria-label={t('table.selectPage')}
        disabled={disabled}
        checked={selection.page === 'all' && !disabled}
        isIndeterminate={selection.page === 'some'}
        onChange={selection.togglePage}
      />
    </th>
  );
}
