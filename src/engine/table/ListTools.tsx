import { lazy, Suspense, useRef, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import type { LiveState } from '../../kernel/socket/index.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Popover } from '../../ui/Popover.tsx';
import styles from '../../ui/table/ListPage.module.css';
import type { LiveRows } from '../live/use-live-rows.ts';
import type { Resource } from '../resources/resource.ts';
import { fieldLabel } from './labels.ts';
import type { SortKey } from './list-state.ts';
import { Updated } from './RefreshControl.tsx';
import type { RefreshMode } from './RefreshControl.tsx';
import type { ColumnControl } from './use-column-settings.ts';
import type { Rows } from './use-rows.ts';
import type { ListView } from './views/use-list-view.ts';
import { ViewMenu } from './views/ViewMenu.tsx';

const ColumnChooser = lazy(() => import('./ColumnChooser.tsx'));

export interface ListToolsProps {
  resource: Resource;
  /** Without for a list that has no saved views. */
  view: ListView | undefined;
  columns: ColumnControl;
  rows: Rows;
  live: LiveRows;
  mode: RefreshMode;
  sort: readonly SortKey[];
  isNarrow: boolean;
  onSort: (key: string) => void;
}

const BROKEN: { readonly [State in LiveState]?: string } = { down: 'table.liveDown', full: 'table.liveFull' };

/** How fresh the list is, loading it again, and its columns; on a narrow screen, where there are no column heads, its order. */
export function ListTools({ resource, view, columns, rows, live, mode, sort, isNarrow, onSort }: ListToolsProps) {
  const t = useT();
  // What changed live says nothing of rows that never came.
  const at = rows.loadedAt === 0 ? 0 : Math.max(rows.loadedAt, live.changedAt ?? 0);
  const broken = mode === 'live' ? BROKEN[live.state] : undefined;
  return (
    <div className={styles.tools}>
      {isNarrow ? <SortMenu resource={resource} columns={columns} sort={sort} onSort={onSort} /> : null}
      {at > 0 ? <span className={styles.updated}>{broken ? t(broken) : <Updated at={at} isShort={isNarrow} />}</span> : null}
      <IconButton icon="refresh-cw" label={t('table.refresh')} onClick={rows.reload} />
      {view ? <ViewMenu view={view} /> : null}
      <ColumnsButton resource={resource} columns={columns} />
    </div>
  );
}

function ColumnsButton({ resource, columns }: { resource: Resource; columns: ColumnControl }) {
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
        <span className={styles.toolText}>{t('table.columns')}</span>
      </Button>
      <Popover anchor={anchor} isOpen={isOpen} placement="bottom-end" label={t('table.columns')} onClose={() => setOpen(false)}>
        <Suspense fallback={<div className={styles.editor} aria-busy="true" />}>
          <ColumnChooser resource={resource} control={columns} />
        </Suspense>
      </Popover>
    </>
  );
}

function SortMenu({ resource, columns, sort, onSort }: Pick<ListToolsProps, 'resource' | 'columns' | 'sort' | 'onSort'>) {
  const t = useT();
  const [first] = sort;
  const sortable = columns.all.filter((column) => column.sortable);
  return (
    <Menu
      label={t('table.sortBy')}
      placement="bottom-start"
      entries={sortable.map((column) => ({
        id: column.key,
        label: fieldLabel(resource, column.key),
        isChecked: column.key === first?.key,
        onSelect: () => onSort(column.key),
      }))}
    >
      <Button
        icon={first?.desc ? 'arrow-down' : 'arrow-up'}
        aria-label={first ? t('table.sortedBy', { name: fieldLabel(resource, first.key) }) : t('table.sortBy')}
      >
        {first ? fieldLabel(resource, first.key) : t('table.sortBy')}
      </Button>
    </Menu>
  );
}
