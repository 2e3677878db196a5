import { lazy, Suspense, useRef, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import type { LiveState } from '../../kernel/socket/index.ts';
import { Button, IconButton, ListAge, Menu, Panel, Popover, ToolGroup, ToolText } from '../../ui/index.ts';
import type { LiveRows } from '../live/use-live-rows.ts';
import type { Resource } from '../resources/resource.ts';
import { fieldLabel } from './labels.ts';
import { Updated } from './RefreshControl.tsx';
import type { RefreshMode } from './RefreshControl.tsx';
import type { ColumnControl } from './use-column-settings.ts';
import { orderedColumns } from './use-list-table.ts';
import type { ListTableModel } from './use-list-table.ts';
import type { Rows } from './use-rows.ts';
import type { ListView } from './views/use-list-view.ts';
import { ViewMenu } from './views/ViewMenu.tsx';

const ColumnChooser = lazy(() => import('./ColumnChooser.tsx'));

export interface ListToolsProps {
  resource: Resource;
  /** Without for a list that has no saved views. */
  view: ListView | undefined;
  model: ListTableModel;
  columns: ColumnControl;
  rows: Rows;
  live: LiveRows;
  mode: RefreshMode;
  isNarrow: boolean;
}

const BROKEN: { readonly [State in LiveState]?: string } = { down: 'table.liveDown', full: 'table.liveFull' };

/** How fresh the list is, loading it again, and its columns; on a narrow screen its order instead of its age, for there are no column heads. */
export function ListTools({ resource, view, model, columns, rows, live, mode, isNarrow }: ListToolsProps) {
  const t = useT();
  // What changed live says nothing of rows that never came.
  const at = rows.loadedAt === 0 ? 0 : Math.max(rows.loadedAt, live.changedAt ?? 0);
  const broken = mode === 'live' ? BROKEN[live.state] : undefined;
  return (
    <ToolGroup>
      {isNarrow ? <SortMenu resource={resource} model={model} columns={columns} /> : null}
      {broken ? (
        <ListAge>{t(broken)}</ListAge>
      ) : at > 0 && mode !== 'live' && !isNarrow ? (
        <ListAge>
          <Updated at={at} />
        </ListAge>
      ) : null}
      <IconButton icon="refresh-cw" label={t('table.refresh')} onClick={rows.reload} />
      {view ? <ViewMenu view={view} /> : null}
      <ColumnsButton resource={resource} model={model} columns={columns} />
    </ToolGroup>
  );
}

function ColumnsButton({ resource, model, columns }: Pick<ListToolsProps, 'resource' | 'model' | 'columns'>) {
  const t = useT();
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        ref={anchor}
        icon="columns-3"
        aria-label={t('table.columns')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ToolText>{t('table.columns')}</ToolText>
      </Button>
      <Popover anchor={anchor} isOpen={isOpen} placement="bottom-end" label={t('table.columns')} onClose={() => setOpen(false)}>
        <Suspense fallback={<Panel isBusy>{null}</Panel>}>
          <ColumnChooser resource={resource} model={model} control={columns} />
        </Suspense>
      </Popover>
    </>
  );
}

function SortMenu({ resource, model, columns }: Pick<ListToolsProps, 'resource' | 'model' | 'columns'>) {
  const t = useT();
  const { table } = model;
  const [first] = table.state.sorting;
  const sortable = orderedColumns(model, columns.columns).filter((column) => column.sortable);
  return (
    <Menu
      label={t('table.sortBy')}
      placement="bottom-start"
      entries={sortable.map((column) => ({
        id: column.key,
        label: fieldLabel(resource, column.key),
        isChecked: column.key === first?.id,
        onSelect: () => table.getColumn(column.key)?.toggleSorting(),
      }))}
    >
      <Button
        icon={first?.desc ? 'arrow-down' : 'arrow-up'}
        aria-label={first ? t('table.sortedBy', { name: fieldLabel(resource, first.id) }) : t('table.sortBy')}
      >
        <ToolText>{first ? fieldLabel(resource, first.id) : t('table.sortBy')}</ToolText>
      </Button>
    </Menu>
  );
}
