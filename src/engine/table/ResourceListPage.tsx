import { useCallback, useEffect, useMemo, type RefCallback, type RefObject, useState, useRef } from 'react';
import { useCan } from '../../kernel/session/index.ts';
import { ListBar, ListCard, ListLayout } from '../../ui/index.ts';
import type { ActionEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { actionsAt, openingAction } from '../actions/applicability.ts';
import { runAction, type ActionTarget } from '../actions/run-action.ts';
import { openDialog, registerDialog } from '../dialogs/index.ts';
import { useWithAddedForms } from '../form/added-form-entries.ts';
import type { Can, Resource, Row } from '../resources/resource.ts';
import { BulkActions } from './BulkActions.tsx';
import { FilterBar } from './FilterBar.tsx';
import './generic-cells.tsx';
import { HeaderActions, PrimaryAction } from './HeaderActions.tsx';
import { columnLabel, resourceTitle } from './labels.ts';
import { ListAnnouncer } from './ListAnnouncer.tsx';
import { ListFoot } from './ListFoot.tsx';
import { ListHead } from './ListHead.tsx';
import { ListStateBox, NoPermission, StaleBanner } from './ListStates.tsx';
import { ListStrip } from './ListStrip.tsx';
import { ListTable } from './ListTable.tsx';
import { ListTools } from './ListTools.tsx';
import { MenuPages } from './MenuPages.tsx';
import { NewRowsButton } from './NewRowsButton.tsx';
import { isFiltered, withFilter, withoutFilters } from './list-state.ts';
import { useRefreshMode } from './RefreshControl.tsx';
import { selectionCount } from './selection.ts';
import { NARROW, useMedia } from './use-media.ts';
import { shownColumns, useListTable } from './use-list-table.ts';
import { useRowKeys } from './use-row-keys.ts';
import { askForRows } from './use-rows.ts';
import { useListData, type Within } from './use-list-data.ts';
import { useListView } from './views/use-list-view.ts';

const SKELETON_ROWS = 12;

/** The list page of a resource, made from its entry alone. `within`: as a part of another page, without a title, for one value of a filter. */
export default function ResourceListPage({ resource: entry, within }: { resource: Resource; within?: Within }) {
  const can = useCan();
  const whole = useWithAddedForms(entry);
  const key = within?.key;
  const permitted = useMemo(() => withPermittedFilters(whole, can), [whole, can]);
  const resource = useMemo(() => (key === undefined ? permitted : withoutFilter(permitted, key)), [permitted, key]);
  return can(resource.permission.list) ? (
    <AllowedList key={resource.name} resource={resource} within={within} />
  ) : (
    <NoPermission resource={resource} />
  );
}

function withPermittedFilters(resource: Resource, can: Can): Resource {
  const { table } = resource;
  if (!table) return resource;
  const filters = table.filters.filter((filter) => !('permission' in filter) || can(filter.permission));
  return filters.length === table.filters.length ? resource : { ...resource, table: { ...table, filters } };
}

function withoutFilter(resource: Resource, key: string): Resource {
  const { table, actions = [] } = resource;
  if (!table) return resource;
  // Other pages of the resource are reached from its own list.
  const own = actions.filter((action) => action.kind !== 'link' || !action.on.includes('header'));
  return { ...resource, actions: own, table: { ...table, filters: table.filters.filter((filter) => filter.key !== key) } };
}

function AllowedList({ resource, within }: { resource: Resource; within: Within | undefined }) {
  const can = useCan();
  const { attach, element: region, px: regionPx } = useInlineSize<HTMLDivElement>();
  const isNarrow = useMedia(NARROW);
  const view = useListView(resource, within !== undefined);
  const { state, change, columns } = view;
  const [mode, setMode] = useRefreshMode(resource);
  const { asked, rows, live, query, total, selection } = useListData({ resource, state, within, mode, isReady: view.isReady });
  const { page } = live;
  const count = selectionCount(selection.selection);

  const { reload } = rows;
  const run = useCallback(
    (action: ActionEntry, target: ActionTarget) => void runAction({ action, resource, target, reload }),
    [resource, reload],
  );
  const runOnRow = useCallback((action: ActionEntry, row: Row) => run(action, { kind: 'record', row }), [run]);
  const rowActions = useMemo(() => actionsAt(resource, 'row', can), [resource, can]);
  const bulkActions = useMemo(() => actionsAt(resource, 'bulk', can), [resource, can]);
  const opening = useMemo(() => openingAction(resource, can), [resource, can]);
  const model = useListTable({
    columns,
    page,
    sort: state.sort,
    selection,
    canSelect: bulkActions.length > 0,
    hasMenu: rowActions.length > 0,
    isNarrow,
    regionPx,
    onSort: (sort) => change({ ...state, sort, page: 1 }),
    labelOf: (column) => columnLabel(resource, column),
  });
  useRowKeys(region, {
    onToggle: (id) => model.table.getRow(String(id)).toggleSelected(),
    onClear: selection.clear,
    onHelp: () => void openDialog('table.shortcuts', {}),
  });
  const pageCount = Math.max(1, Math.ceil(rows.total / state.size));
  useEffect(() => {
    // A link or a removal can leave the page beyond the last one.
    if (!rows.isFetching && rows.total > 0 && state.page > pageCount) change({ ...state, page: pageCount }, { replace: true });
  }, [rows.isFetching, rows.total, state, pageCount, change]);

  const isEmpty = !rows.isFirstLoad && page.rows.length === 0;
  const runOnNothing = (action: ActionEntry) =>
    run(action, {
      kind: 'none',
      ...(typeof within?.value === 'number' ? { initial: { [within.fills ?? within.key]: within.value } } : {}),
    });
  const headerActions = (
    <HeaderActions
      resource={resource}
      mode={mode}
      onMode={setMode}
      query={query}
      columns={shownColumns(model, columns.columns)}
      selection={selection.selection}
      isNarrow={isNarrow}
      viewName={view.current?.name}
      onAction={runOnNothing}
    />
  );
  return (
    <ListLayout>
      <ListHead
        resource={resource}
        state={state}
        isPart={within !== undefined}
        total={rows.loadedAt === 0 ? undefined : total}
        actions={headerActions}
      />
      {within ? null : <MenuPages resource={resource} />}
      <ListStrip
        resource={resource}
        state={state}
        isPart={within !== undefined}
        query={query}
        loadedAt={rows.loadedAt}
        onFilter={(key, values, negated = false) => change(withFilter(state, { key, negated, values }))}
      />
      <StaleBanner rows={rows} />
      <ListCard label={resourceTitle(resource)}>
        <ListBar>
          <FilterBar resource={resource} state={state} onChange={change} />
          <ListTools
            resource={resource}
            view={within ? undefined : view}
            model={model}
            columns={columns}
            rows={rows}
            live={live}
            mode={mode}
            isNarrow={isNarrow}
          />
        </ListBar>
        <NewRowsButton count={page.added.size} onShow={() => (state.page === 1 ? reload() : change({ ...state, page: 1 }))} />
        <ListStateBox
          resource={resource}
          rows={rows}
          isFiltered={isFiltered(state)}
          primaryAction={<PrimaryAction resource={resource} onAction={runOnNothing} />}
          onClearFilters={() => change(withoutFilters(state))}
        />
        {isEmpty ? null : (
          <ListTable
            resource={resource}
            model={model}
            control={columns}
            page={page}
            skeletonRows={rows.isFirstLoad ? SKELETON_ROWS : 0}
            isBusy={rows.isFetching}
            canSelect={bulkActions.length > 0}
            actions={rowActions}
            openingAction={opening}
            isNarrow={isNarrow}
            onAction={runOnRow}
            regionRef={attach}
          />
        )}
        <ListFoot
          state={state}
          pageCount={pageCount}
          rows={isEmpty || rows.isFirstLoad ? undefined : { here: page.rows.length, all: rows.total }}
          onPage={(next) => {
            askForRows(resource, { ...asked, page: next });
            change({ ...state, page: next });
            region.current?.scrollTo?.({ top: 0 });
          }}
          onSize={(size) => change({ ...state, size, page: 1 })}
        />
        {count > 0 ? (
          <BulkActions
            resource={resource}
            actions={bulkActions}
            selection={selection}
            total={total}
            isNarrow={isNarrow}
            onAction={(action) => run(action, { kind: 'selection', selection: selection.selection })}
          />
        ) : null}
      </ListCard>
      <ListAnnouncer total={rows.isFirstLoad ? undefined : total} selected={count} added={page.added.size} />
    </ListLayout>
  );
}

declare module '../dialogs/registry.ts' {
  interface DialogTypes {
    'table.shortcuts': { props: object; result: undefined };
  }
}

registerDialog('table.shortcuts', () => import('./ShortcutHelp.tsx'));

export interface MeasuredElement<E> {
  /** For the element's `ref`. */
  attach: RefCallback<E>;
  element: RefObject<E | null>;
  /** Pixels inside it from side to side, followed as they change: 0 before it is on screen and where nothing is laid out. */
  px: number;
}

/** Follows how wide an element is. */
export function useInlineSize<E extends HTMLElement>(): MeasuredElement<E> {
  const [px, setPx] = useState(0);
  const element = useRef<E>(null);
  const attach = useCallback((node: E | null) => {
    if (!node) return undefined;
    element.current = node;
    setPx(node.clientWidth);
    const observer = new ResizeObserver(() => setPx(node.clientWidth));
    observer.observe(node);
    return () => {
      element.current = null;
      observer.disconnect();
    };
  }, []);
  return { attach, element, px };
}
