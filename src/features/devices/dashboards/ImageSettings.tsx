import { useList } from '@refinedev/core';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { Image } from '../../../../schemas/_generated/contract.ts';
import { MOST_SPOTS, SOURCES, type Spot } from '../../../../schemas/kit/resources/dashboards.ts';
import { openForm } from '../../../engine/form/index.ts';
import { LookupSelect } from '../../../engine/form/LookupSelect.tsx';
import type { ApiError } from '../../../kernel/http/index.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { Button, FieldFrame, IconButton, Select } from '../../../ui/index.ts';
import { stepOf } from './grid.ts';
import { SpottedImage } from './ImageWidget.tsx';
import { sourceName } from './source-names.ts';
import type { WidgetSettingsProps } from './dashboard-data.ts';
import styles from './dashboards.module.css';

const MIDDLE = 50;
const MOST_IMAGES = 100;

const inside = (value: number): number => Math.max(0, Math.min(100, Math.round(value)));

interface SpotProps {
  spot: Spot;
  number: number;
  kind: WidgetSettingsProps['around']['kind'];
  onChange(spot: Spot): void;
  onRemove(): void;
}

/** One point: what it shows; arrow keys move it by a percent. */
function SpotRow({ spot, number, kind, onChange, onRemove }: SpotProps) {
  const t = useT();
  const press = (event: KeyboardEvent): void => {
    const step = stepOf(event.key);
    if (!step) return;
    event.preventDefault();
    onChange({ ...spot, x: inside(spot.x + step.columns), y: inside(spot.y + step.rows) });
  };
  return (
    <div className={styles.spotRow}>
      <IconButton icon="grip-vertical" size="small" label={t('dashboards.spot.move', { number })} onKeyDown={press} />
      {kind === 'fleet' ? (
        <FieldFrame label={t('dashboards.spot', { number })}>
          {(control) => (
            <LookupSelect
              {...control}
              lookup="devices"
              label={t('dashboards.spot', { number })}
              placeholder={t('dashboards.any')}
              value={spot.device_id}
              onChange={(id) => onChange({ x: spot.x, y: spot.y, ...(id === undefined ? {} : { device_id: id }) })}
            />
          )}
        </FieldFrame>
      ) : (
        <FieldFrame label={t('dashboards.spot', { number })}>
          {({ id }) => (
            <Select
              id={id}
              value={spot.source ?? ''}
              choices={(SOURCES.device.value ?? []).map((source) => ({ value: source, label: sourceName(t, source) }))}
              onChange={(source) => onChange({ x: spot.x, y: spot.y, source })}
            />
          )}
        </FieldFrame>
      )}
      <IconButton icon="trash-2" size="small" label={t('dashboards.spot.remove', { number })} onClick={onRemove} />
    </div>
  );
}

/** Which image a widget shows, and the points on it: placed by a click or by keys. */
export function ImageSettings({ widget, around, onChange }: WidgetSettingsProps) {
  const t = useT();
  const { query } = useList<Image, ApiError>({ resource: 'images', pagination: { pageSize: MOST_IMAGES }, errorNotification: false });
  const images = query.data?.data ?? [];
  const { image, spots = [] } = widget;
  const set = (next: readonly Spot[]): void => onChange({ ...widget, spots: next });
  const add = (x: number, y: number): void => {
    if (spots.length >= MOST_SPOTS) return;
    const [source] = SOURCES.device.value ?? [];
    set([...spots, { x, y, ...(around.kind === 'device' && source !== undefined ? { source } : {}) }]);
  };
  const place = (event: MouseEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    add(inside(((event.clientX - box.left) / box.width) * 100), inside(((event.clientY - box.top) / box.height) * 100));
  };
  return (
    <>
      <FieldFrame label={t('dashboards.widget.image')}>
        {({ id }) => (
          <Select
            id={id}
            value={image}
            choices={images.map((one) => ({ value: one.id, label: one.description || one.name }))}
            onChange={(chosen) => onChange({ ...widget, image: chosen })}
          />
        )}
      </FieldFrame>
      <Button icon="upload" onClick={() => void openForm('images/new').then(() => query.refetch())}>
        {t('actions.images.new')}
      </Button>
      {image === undefined ? null : (
        <>
          <p className={styles.muted}>{t('dashboards.spot.hint')}</p>
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- The button below does the same for keys. */}
          <div className={styles.image} onClick={place}>
            <SpottedImage image={image} spots={spots}>
              {(_spot, index) => index + 1}
            </SpottedImage>
          </div>
          {spots.map((spot, index) => (
            <SpotRow
              // oxlint-disable-next-line react/no-array-index-key -- Points have no name, and keep their order.
              key={index}
              spot={spot}
              number={index + 1}
              kind={around.kind}
              onChange={(next) => set(spots.with(index, next))}
              onRemove={() => set(spots.toSpliced(index, 1))}
            />
          ))}
          <Button icon="plus" disabled={spots.length >= MOST_SPOTS} onClick={() => add(MIDDLE, MIDDLE)}>
            {t('dashboards.spot.add')}
          </Button>
        </>
      )}
    </>
  );
}
