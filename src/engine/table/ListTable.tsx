import { Fragment, Suspense, useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CSSProperties, Ref } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import {
  CheckHead,
  Checkbox,
  GroupRow,
  PlainHead,
  ResizeHandle,
  SortHeader,
  TableBody,
  TableFrame,
  TableHead,
  TableSkeleton,
} from '../../ui/index.ts';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { LivePage } from '../live/live-rows.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { columnLabel, resourceTitle } from './labels.ts';
import { ListRow } from './ListRow.tsx';
import type { ListRowProps } from './ListRow.tsx';
import type { ColumnControl } from './use-column-settings.ts';
import { shownColumns } from './use-list-table.ts';
import type { ListTableModel } from './use-list-table.ts';

export interface ListTableProps extends Pick<ListRowProps, 'actions' | 'canSelect' | 'isNarrow' | 'onAction' | 'openingAction'> {
  resource: Resource;
  model: ListTableModel;
  control: ColumnControl;
  page: LivePage;
  /** Rows of the skeleton; 0 when the rows are here. */
  skeletonRows: number;
  isBusy: boolean;
  regionRef: Ref<HTMLDivElement>;
}

/** Rows that are drawn at once, a screenful below head and filters; the others follow without holding these up. */
const FIRST_ROWS = 12;

/** The rows of a list as a real table: the state is TanStack Table's, the markup our own. */
export function ListTable({ resource, model, control, page, isNarrow, skeletonRows, isBusy, regionRef, ...rest }: ListTableProps) {
  const { table, checkPx, menuPx } = model;
  const { columns, settings } = control;
  const t = useT();
  const { columnOrder, columnVisibility, columnPinning } = table.state;
  // By the state it follows from: a row is drawn again only when its columns are others.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const visible = useMemo(() => shownColumns(model, columns), [columns, columnOrder, columnVisibility, columnPinning]);
  const pins = usePins(model, visible);
  const latest = useRef(table);
  useLayoutEffect(() => void (latest.current = table));
  const handleToggle = useCallback((id: number, event: unknown) => {
    latest.current.getRow(String(id)).getToggleSelectedHandler()(event);
  }, []);
  const drawn = useDeferredValue(Infinity, FIRST_ROWS);
  const rows = table.getRowModel().rows.slice(0, drawn);
  const slots = useSlots(rows.map((row) => row.id));
  const dayKey = control.columns.find(({ key, headsDays }) => headsDays && key === table.state.sorting[0]?.id)?.key;
  const days = dayKey === undefined ? [] : rows.map(({ original }) => dayOf(original, dayKey));
  const hasMenu = rest.actions.length > 0;
  const skeletonColumns = (isNarrow ? 1 : visible.length) + (rest.canSelect ? 1 : 0) + (hasMenu ? 1 : 0);
  return (
    <TableFrame
      ref={regionRef}
      label={resourceTitle(resource)}
      // Cards of a phone are never compact: one line of a narrow column would be a tower of letters.
      density={isNarrow && settings.density === 'compact' ? 'middle' : settings.density}
      isBusy={isBusy}
      widths={[
        ...(rest.canSelect ? [checkPx] : []),
        ...(isNarrow ? [undefined] : visible.map(({ key }) => table.getColumn(key)?.getSize())),
        ...(hasMenu ? [menuPx] : []),
      ]}
    >
      {/* Where records are in one column there is nothing to head but what is ticked. */}
      <TableHead isHidden={isNarrow && !rest.canSelect}>
        {rest.canSelect ? <PageCheckbox model={model} disabled={page.rows.length === 0} /> : null}
        {isNarrow ? (
          <PlainHead>{t('table.records')}</PlainHead>
        ) : (
          visible.map((column) => (
            <ColumnHead key={column.key} resource={resource} model={model} column={column} pin={pins.get(column.key)} />
          ))
        )}
        {hasMenu ? <PlainHead isMenu>{t('table.actions')}</PlainHead> : null}
      </TableHead>
      {skeletonRows > 0 ? (
        <TableSkeleton rows={skeletonRows} columns={skeletonColumns} />
      ) : (
        <Suspense fallback={<TableSkeleton rows={page.rows.length} columns={skeletonColumns} />}>
          <TableBody>
            {rows.map((row, index) => (
              <Fragment key={slots.get(row.id)}>
                {days[index] === undefined || days[index] === days[index - 1] ? null : (
                  <GroupRow columns={skeletonColumns}>{days[index]}</GroupRow>
                )}
                <ListRow
                  row={row.original}
                  resource={resource}
                  columns={visible}
                  // Without pins the style sheet keeps the primary cells, so that rows are not drawn again while an edge is dragged.
                  pins={table.getIsSomeColumnsPinned() ? pins : undefined}
                  selected={row.getIsSelected()}
                  mark={page.marks.get(row.original.id)}
                  changes={page.changes.get(row.original.id)}
                  canSelect={rest.canSelect}
                  actions={rest.actions}
                  isNarrow={isNarrow}
                  onToggle={handleToggle}
                  onAction={rest.onAction}
                  openingAction={rest.openingAction}
                />
              </Fragment>
            ))}
          </TableBody>
        </Suspense>
      )}
    </TableFrame>
  );
}

/** The day of a time in a record, in the zone of the user: `Thursday 2026-11-26`. */
function dayOf(row: Row, key: string): string | undefined {
  const value = row[key];
  const time = typeof value === 'string' ? parseWire(value) : undefined;
  return time === undefined ? undefined : formatTime(time, 'dddd YYYY-MM-DD');
}

/**
 * A number for each record, which it keeps while it is on screen; one that comes takes over that of one that left. Used as the key of its row, so that
 * another page changes the rows that are there in place of making new ones.
 */
function useSlots(ids: readonly string[]): ReadonlyMap<string, number> {
  const [slots, setSlots] = useState<ReadonlyMap<string, number>>(() => new Map(ids.map((id, index) => [id, index])));
  if (ids.length === slots.size && ids.every((id) => slots.has(id))) return slots;
  const kept = new Set(ids.flatMap((id) => slots.get(id) ?? []));
  const free = Array.from({ length: ids.length + kept.size }, (_, index) => index).filter((slot) => !kept.has(slot));
  const next = new Map(ids.map((id) => [id, slots.get(id) ?? free.shift() ?? 0]));
  setSlots(next);
  return next;
}

/** Where cells stay while the table scrolls sideways: the pinned ones at their side, and the primary one always. The same map while no place differs. */
function usePins({ table, checkPx, menuPx }: ListTableModel, visible: readonly ColumnEntry[]): ReadonlyMap<string, CSSProperties> {
  const places = visible.flatMap(({ key, primary }): [string, CSSProperties][] => {
    const column = table.getColumn(key);
    const side = column?.getIsPinned();
    if (!column || (!side && !primary)) return [];
    if (side === 'end') return [[key, { left: 'auto', right: menuPx + column.getAfter('end') }]];
    return [[key, { left: checkPx + (side ? column.getStart('start') : table.getStartTotalSize()) }]];
  });
  const text = JSON.stringify(places);
  // The text stands for the places.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => new Map(places), [text]);
}

interface ColumnHeadProps {
  resource: Resource;
  model: ListTableModel;
  column: ColumnEntry;
  pin: CSSProperties | undefined;
}

function ColumnHead({ resource, model: { table }, column: entry, pin }: ColumnHeadProps) {
  const { key, align } = entry;
  const column = table.getColumn(key);
  const header = table.getFlatHeaders().find((candidate) => candidate.column.id === key);
  if (!column || !header) return null;
  const order = column.getIsSorted();
  return (
    <SortHeader
      columnKey={key}
      text={columnLabel(resource, entry)}
      align={align}
      isSortable={column.getCanSort()}
      order={order === false ? undefined : order}
      pin={pin}
      onSort={() => column.toggleSorting()}
    >
      <ResizeHandle onStart={header.getResizeHandler()} onReset={() => column.resetSize()} />
    </SortHeader>
  );
}

function PageCheckbox({ model: { table }, disabled }: { model: ListTableModel; disabled: boolean }) {
  const t = useT();
  const { rows } = table.getRowModel();
  const chosen = rows.filter((row) => row.getIsSelected()).length;
  const isAll = rows.length > 0 && chosen === rows.length;
  return (
    <CheckHead>
      <Checkbox
        aria-label={t('table.selectPage')}
        disabled={disabled}
        checked={isAll && !disabled}
        isIndeterminate={!isAll && chosen > 0}
        onChange={() => table.toggleAllPageRowsSelected(!isAll)}
      />
    </CheckHead>
  );
}
