import { useState } from 'react';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import styles from '../../ui/table/ListPage.module.css';
import { LEAST_WIDTH_PX, MOST_WIDTH_PX, pinColumn, sizeColumn } from './column-settings.ts';
import type { ColumnSettings, Side } from './column-settings.ts';

export interface ColumnOptionsProps {
  columnKey: string;
  name: string;
  settings: ColumnSettings;
  onChange: (next: ColumnSettings) => void;
}

const STEP_PX = 10;

/** Where one column stays while the others scroll, and how wide it is; by keyboard what dragging its edge does. */
export function ColumnOptions({ columnKey, name, settings, onChange }: ColumnOptionsProps) {
  const t = useT();
  const px = settings.widths[columnKey];
  // A column without a width of its own begins where it is on screen.
  const [shownPx] = useState(() => document.querySelector<HTMLElement>(`th[data-column="${columnKey}"]`)?.offsetWidth ?? LEAST_WIDTH_PX);
  const text = px === undefined ? t('table.widthAuto') : t('table.widthPixels', { px: formatNumber(px) });
  return (
    <div className={styles.columnOptions}>
      <span>{t('table.pin')}</span>
      <Segmented<Side | 'none'>
        label={t('table.pinColumn', { name })}
        value={settings.pinned[columnKey] ?? 'none'}
        options={[
          { value: 'left', label: t('table.pinLeft') },
          { value: 'none', label: t('table.pinNone') },
          { value: 'right', label: t('table.pinRight') },
        ]}
        onChange={(side) => onChange(pinColumn(settings, columnKey, side === 'none' ? undefined : side))}
      />
      <span>{t('table.width')}</span>
      <span className={styles.columnWidth}>
        <input
          type="range"
          aria-label={t('table.columnWidth', { name })}
          aria-valuetext={text}
          min={LEAST_WIDTH_PX}
          max={MOST_WIDTH_PX}
          step={STEP_PX}
          value={px ?? shownPx}
          onChange={(event) => onChange(sizeColumn(settings, columnKey, event.target.valueAsNumber))}
        />
        <output>{text}</output>
        <IconButton
          icon="rotate-ccw"
          size="small"
          label={t('table.widthReset')}
          disabled={px === undefined}
          onClick={() => onChange(sizeColumn(settings, columnKey, undefined))}
        />
      </span>
    </div>
  );
}
