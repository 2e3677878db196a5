import { useEffect, useRef, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, ColumnItem, ColumnList, IconButton, Panel, PanelFoot, PanelHead, Segmented } from '../../ui/index.ts';
import type { Resource } from '../resources/resource.ts';
import { ColumnOptions } from './ColumnOptions.tsx';
import { DEFAULT_COLUMN_SETTINGS, DENSITIES, moveColumn } from './column-settings.ts';
import type { Density } from './column-settings.ts';
import { columnLabel } from './labels.ts';
import { useFirstFocus } from './use-first-focus.ts';
import type { ColumnControl } from './use-column-settings.ts';
import { orderedColumns } from './use-list-table.ts';
import type { ListTableModel } from './use-list-table.ts';

export interface ColumnChooserProps {
  resource: Resource;
  model: ListTableModel;
  control: ColumnControl;
}

/** Which columns a list shows and in which order: by ticks, by dragging, and by buttons for those who cannot drag; their sides, widths and the height of rows. */
export default function ColumnChooser({ resource, model, control }: ColumnChooserProps) {
  const t = useT();
  const { table } = model;
  const { settings, change, offer } = control;
  useEffect(offer, [offer]);
  const columns = orderedColumns(model, control.columns);
  const panel = useFirstFocus<HTMLDivElement>();
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<string | undefined>(undefined);
  const [open, setOpen] = useState<string | undefined>(undefined);
  const [said, setSaid] = useState('');

  const byKey = (key: string) => columns.find((column) => column.key === key) ?? { key };
  const pinOf = (index: number) => table.getColumn(columns[index]?.key ?? '')?.getIsPinned();
  /** Whether the column can change places with this one: both are pinned alike. */
  const canSwap = (index: number, other: number) => columns[other] !== undefined && pinOf(index) === pinOf(other);

  function move(key: string, to: number, button?: 'up' | 'down'): void {
    const keys = columns.map((column) => column.key);
    const next = moveColumn(keys, table.state.columnPinning, key, to);
    table.setColumnOrder(next);
    setSaid(t('table.columnMoved', { name: columnLabel(resource, byKey(key)), position: next.indexOf(key) + 1 }));
    // The list is drawn again in the new order; the focus goes along with the column, so that it can be moved on.
    if (button)
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-column="${key}"] [data-move="${button}"]`)?.focus());
  }
  function handleDrop(to: number): void {
    if (dragged !== undefined) move(dragged, to);
    setDragged(undefined);
  }

  return (
    <Panel ref={panel} isWide>
      <PanelHead>
        <strong>{t('table.columns')}</strong>
        <Segmented<Density>
          label={t('table.density')}
          value={settings.density}
          options={DENSITIES.map((value) => ({ value, label: t(`table.${value}`) }))}
          onChange={(density) => change({ ...settings, density })}
        />
      </PanelHead>
      <ColumnList ref={list}>
        {columns.map((entry, index) => {
          const { key, primary = false } = entry;
          const name = columnLabel(resource, entry);
          const column = table.getColumn(key);
          return (
            <ColumnItem
              key={key}
              columnKey={key}
              name={name}
              isVisible={column?.getIsVisible() ?? false}
              isFixed={primary}
              isDragged={dragged === key}
              onVisible={(isVisible) => column?.toggleVisibility(isVisible)}
              onDrag={(isDragged) => setDragged(isDragged ? key : undefined)}
              onDrop={() => handleDrop(index)}
            >
              <IconButton
                icon="chevron-up"
                size="small"
                label={t('table.moveUp', { name })}
                data-move="up"
                disabled={!canSwap(index, index - 1)}
                onClick={() => move(key, index - 1, canSwap(index, index - 2) ? 'up' : 'down')}
              />
              <IconButton
                icon="chevron-down"
                size="small"
                label={t('table.moveDown', { name })}
                data-move="down"
                disabled={!canSwap(index, index + 1)}
                onClick={() => move(key, index + 1, canSwap(index, index + 2) ? 'down' : 'up')}
              />
              <IconButton
                icon="ellipsis"
                size="small"
                label={t('table.columnOptions', { name })}
                aria-expanded={open === key}
                onClick={() => setOpen(open === key ? undefined : key)}
              />
              {open === key ? <ColumnOptions columnKey={key} name={name} model={model} /> : null}
            </ColumnItem>
          );
        })}
      </ColumnList>
      <PanelFoot>
        <Button variant="link" onClick={() => change(DEFAULT_COLUMN_SETTINGS)}>
          {t('table.reset')}
        </Button>
      </PanelFoot>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </Panel>
  );
}
