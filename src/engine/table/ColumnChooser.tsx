import { useRef, useState } from 'react';
import type { DragEvent } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import styles from '../../ui/table/ListPage.module.css';
import type { Resource } from '../resources/resource.ts';
import { ColumnOptions } from './ColumnOptions.tsx';
import { DEFAULT_COLUMN_SETTINGS, DENSITIES, chooseColumns, moveColumn, toggleColumn } from './column-settings.ts';
import type { Density } from './column-settings.ts';
import { fieldLabel } from './labels.ts';
import { useFirstFocus } from './use-first-focus.ts';
import type { ColumnControl } from './use-column-settings.ts';

export interface ColumnChooserProps {
  resource: Resource;
  control: ColumnControl;
}

/** Which columns a list shows and in which order: by ticks, by dragging, and by buttons for those who cannot drag; their sides, widths and the height of rows. */
export default function ColumnChooser({ resource, control }: ColumnChooserProps) {
  const t = useT();
  const { settings, choices, change } = control;
  const columns = choices.map((choice) => choice.column);
  const panel = useFirstFocus<HTMLDivElement>();
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<string | undefined>(undefined);
  const [open, setOpen] = useState<string | undefined>(undefined);
  const [said, setSaid] = useState('');

  const pinOf = (index: number) => settings.pinned[columns[index]?.key ?? ''];
  /** Whether the column can change places with this one: both are pinned alike. */
  const canSwap = (index: number, other: number) => columns[other] !== undefined && pinOf(index) === pinOf(other);

  function move(key: string, to: number, button?: 'up' | 'down'): void {
    const next = moveColumn(settings, columns, key, to);
    change(next);
    const position = chooseColumns(columns, next).findIndex((choice) => choice.column.key === key) + 1;
    setSaid(t('table.columnMoved', { name: fieldLabel(resource, key), position }));
    // The list is drawn anew in the new order; the focus goes along with the column, so that it can be moved on.
    if (button)
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-column="${key}"] [data-move="${button}"]`)?.focus());
  }
  function handleDrop(event: DragEvent, to: number): void {
    event.preventDefault();
    if (dragged !== undefined) move(dragged, to);
    setDragged(undefined);
  }

  return (
    <div ref={panel} className={cx(styles.editor, styles.wide)}>
      <div className={styles.editorHead}>
        <strong>{t('table.columns')}</strong>
        <Segmented<Density>
          label={t('table.density')}
          value={settings.density}
          options={DENSITIES.map((value) => ({ value, label: t(`table.${value}`) }))}
          onChange={(density) => change({ ...settings, density })}
        />
      </div>
      <ul ref={list} className={styles.columns}>
        {choices.map(({ column, visible }, index) => {
          const name = fieldLabel(resource, column.key);
          return (
            // Dragging is the shorter way only: the two buttons do the same.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <li
              key={column.key}
              className={styles.column}
              data-column={column.key}
              data-dragged={dragged === column.key || undefined}
              draggable
              onDragStart={() => setDragged(column.key)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => handleDrop(event, index)}
            >
              <Icon name="grip-vertical" size={14} className={styles.grip} />
              <Checkbox
                className={styles.columnName}
                checked={visible}
                disabled={column.primary === true}
                onChange={(event) => change(toggleColumn(settings, column, event.target.checked))}
              >
                {name}
              </Checkbox>
              <IconButton
                icon="chevron-up"
                size="small"
                label={t('table.moveUp', { name })}
                data-move="up"
                disabled={!canSwap(index, index - 1)}
                onClick={() => move(column.key, index - 1, canSwap(index, index - 2) ? 'up' : 'down')}
              />
              <IconButton
                icon="chevron-down"
                size="small"
                label={t('table.moveDown', { name })}
                data-move="down"
                disabled={!canSwap(index, index + 1)}
                onClick={() => move(column.key, index + 1, canSwap(index, index + 2) ? 'down' : 'up')}
              />
              <IconButton
                icon="ellipsis"
                size="small"
                label={t('table.columnOptions', { name })}
                aria-expanded={open === column.key}
                onClick={() => setOpen(open === column.key ? undefined : column.key)}
              />
              {open === column.key ? <ColumnOptions columnKey={column.key} name={name} settings={settings} onChange={change} /> : null}
            </li>
          );
        })}
      </ul>
      <div className={styles.editorFoot}>
        <Button variant="link" onClick={() => change(DEFAULT_COLUMN_SETTINGS)}>
          {t('table.reset')}
        </Button>
      </div>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </div>
  );
}
