import { useRef, useState } from 'react';
import type { DragEvent } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import styles from '../../ui/table/ListPage.module.css';
import type { Resource } from '../resources/resource.ts';
import { DEFAULT_COLUMN_SETTINGS, moveColumn, toggleColumn } from './column-settings.ts';
import type { Density } from './column-settings.ts';
import { fieldLabel } from './labels.ts';
import { useFirstFocus } from './use-first-focus.ts';
import type { ColumnControl } from './use-column-settings.ts';

export interface ColumnChooserProps {
  resource: Resource;
  control: ColumnControl;
}

/** Which columns a list shows and in which order: by ticks, by dragging, and by buttons for those who cannot drag. */
export default function ColumnChooser({ resource, control }: ColumnChooserProps) {
  const t = useT();
  const { settings, choices, change } = control;
  const columns = choices.map((choice) => choice.column);
  const panel = useFirstFocus<HTMLDivElement>();
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<string | undefined>(undefined);
  const [said, setSaid] = useState('');

  function move(key: string, to: number, button?: 'up' | 'down'): void {
    change(moveColumn(settings, columns, key, to));
    setSaid(t('table.columnMoved', { name: fieldLabel(resource, key), position: Math.max(0, Math.min(to, columns.length - 1)) + 1 }));
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
    <div ref={panel} className={styles.editor}>
      <div className={styles.editorHead}>
        <strong>{t('table.columns')}</strong>
        <Segmented<Density>
          label={t('table.density')}
          value={settings.density}
          options={[
            { value: 'comfortable', label: t('table.comfortable') },
            { value: 'compact', label: t('table.compact') },
          ]}
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
                disabled={index === 0}
                onClick={() => move(column.key, index - 1, index === 1 ? 'down' : 'up')}
              />
              <IconButton
                icon="chevron-down"
                size="small"
                label={t('table.moveDown', { name })}
                data-move="down"
                disabled={index === choices.length - 1}
                onClick={() => move(column.key, index + 1, index === choices.length - 2 ? 'up' : 'down')}
              />
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
