import type { ColumnPinningPosition } from '@tanstack/react-table';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { ColumnOptionGrid, IconButton, Segmented, WidthSlider } from '../../ui/index.ts';
import { LEAST_WIDTH_PX, MOST_WIDTH_PX } from './column-settings.ts';
import type { ListTableModel } from './use-list-table.ts';

export interface ColumnOptionsProps {
  columnKey: string;
  name: string;
  model: ListTableModel;
}

const STEP_PX = 10;

type PinnedSide = 'start' | 'none' | 'end';
const placeOf = (position: ColumnPinningPosition | undefined): PinnedSide =>
  position === undefined || position === false ? 'none' : position;

/** Where one column stays while the others scroll, and how wide it is; by keyboard what dragging its edge does. */
export function ColumnOptions({ columnKey, name, model: { table, sized } }: ColumnOptionsProps) {
  const t = useT();
  const column = table.getColumn(columnKey);
  const px = sized[columnKey];
  const text = px === undefined ? t('table.widthAuto') : t('table.widthPixels', { px: formatNumber(px) });
  return (
    <ColumnOptionGrid>
      <span>{t('table.pin')}</span>
      <Segmented<PinnedSide>
        label={t('table.pinColumn', { name })}
        value={placeOf(column?.getIsPinned())}
        options={[
          { value: 'start', label: t('table.pinLeft') },
          { value: 'none', label: t('table.pinNone') },
          { value: 'end', label: t('table.pinRight') },
        ]}
        onChange={(place) => column?.pin(place === 'none' ? false : place)}
      />
      <span>{t('table.width')}</span>
      <WidthSlider
        label={t('table.columnWidth', { name })}
        text={text}
        min={LEAST_WIDTH_PX}
        max={MOST_WIDTH_PX}
        step={STEP_PX}
        // A column without a width of its own begins where it is on screen.
        value={px ?? column?.getSize() ?? LEAST_WIDTH_PX}
        onChange={(next) => table.setColumnSizing((before) => ({ ...before, [columnKey]: next }))}
      >
        <IconButton
          icon="rotate-ccw"
          size="small"
          label={t('table.widthReset')}
          disabled={px === undefined}
          onClick={() => column?.resetSize()}
        />
      </WidthSlider>
    </ColumnOptionGrid>
  );
}
