import { useCustomMutation, useList } from '@refinedev/core';
import { useState, type KeyboardEvent, type MouseEvent } from 'react';
import type { Device, Image } from '../../../schemas/_generated/contract.ts';
import type { PlanSpot } from '../../../schemas/kit/devices/floor-plan.ts';
import { openForm } from '../../engine/form/index.ts';
import { useEntriesGuard } from '../../engine/form/use-unsaved-guard.ts';
import { failureMessage, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Card, FieldFrame, IconButton, PressArea, Select, StatusMark } from '../../ui/index.ts';
import { stepOf } from './dashboards/grid.ts';
import { imageUrl } from './dashboards/image-url.ts';
import { statusKinds, statusName } from './status.ts';
import styles from './site-plan.module.css';

const MOST_IMAGES = 100;
const MOST_DEVICES = 100;
const MIDDLE = 50;
const STEP = 5;

const inside = (value: number): number => Math.max(0, Math.min(100, Math.round(value * 10) / 10));

/** Which image is the plan, and where on it the devices are: placed by a click or by arrow keys. */
export function SitePlanEditor({ siteId, plan, onEnd }: { siteId: number; plan: Plan; onEnd(): void }) {
  const t = useT();
  const can = useCan();
  const [image, setImage] = useState(plan.image_id);
  const [begun] = useState<readonly PlanSpot[]>(() => plan.spots.map(({ device_id, x, y }) => ({ device_id, x, y })));
  const [begunImage] = useState(plan.image_id);
  const [spots, setSpots] = useState(begun);
  useEntriesGuard(() => image !== begunImage || spots !== begun);
  const [chosen, setChosen] = useState<number>();
  const { mutateAsync, mutation } = useCustomMutation();
  const images = useList<Image, ApiError>({ resource: 'images', pagination: { pageSize: MOST_IMAGES }, errorNotification: false }).query;
  const devices = useList<Device, ApiError>({
    resource: 'devices',
    pagination: { pageSize: MOST_DEVICES },
    meta: { query: { site_id: String(siteId) } },
    errorNotification: false,
  }).query;
  const list = devices.data?.data ?? [];
  const put = (id: number, x: number, y: number): void =>
    setSpots((former) => [...former.filter(({ device_id }) => device_id !== id), { device_id: id, x: inside(x), y: inside(y) }]);
  const place = (event: MouseEvent<HTMLElement>): void => {
    if (chosen === undefined) return;
    const box = event.currentTarget.getBoundingClientRect();
    put(chosen, ((event.clientX - box.left) / box.width) * 100, ((event.clientY - box.top) / box.height) * 100);
  };
  const press = (event: KeyboardEvent, id: number): void => {
    const step = stepOf(event.key);
    if (!step) return;
    event.preventDefault();
    const length = event.shiftKey ? 1 : STEP;
    const { x, y } = spots.find(({ device_id }) => device_id === id) ?? { x: MIDDLE, y: MIDDLE };
    setChosen(id);
    put(id, x + step.columns * length, y + step.rows * length);
  };
  const save = async (): Promise<void> => {
    try {
      await mutateAsync({ url: `/sites/${siteId}/plan`, method: 'put', values: { image_id: image, spots }, errorNotification: false });
      toasts.success(t('sites.plan.saved'));
      onEnd();
    } catch (error) {
      toasts.error(failureMessage(error, { fallback: t('sites.plan.not_saved') }));
    }
  };
  const upload = async (): Promise<void> => {
    const known = new Set((images.data?.data ?? []).map(({ id }) => id));
    await openForm('images/new');
    const { data } = await images.refetch();
    const added = data?.data.find(({ id }) => !known.has(id));
    if (added) setImage(added.id);
  };
  return (
    <Card title={t('sites.plan')}>
      <div className={styles.tools}>
        <FieldFrame label={t('sites.plan.image')}>
          {({ id }) => (
            <Select
              id={id}
              value={image ?? 0}
              choices={[
                { value: 0, label: '—' },
                ...(images.data?.data ?? []).map((one) => ({ value: one.id, label: one.description || one.name })),
              ]}
              onChange={(next) => setImage(next === 0 ? null : next)}
            />
          )}
        </FieldFrame>
        {can('update_device_dashboard') ? (
          <Button icon="upload" onClick={() => void upload()}>
            {t('sites.plan.upload')}
          </Button>
        ) : null}
        <Button variant="primary" isBusy={mutation.isPending} onClick={() => void save()}>
          {t('sites.plan.save')}
        </Button>
        <Button onClick={onEnd}>{t('sites.plan.cancel')}</Button>
      </div>
      {image === null ? null : (
        <div className={styles.sides}>
          <div className={styles.frame}>
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- The arrow keys on a device do the same. */}
            <div className={styles.plan} data-placing={chosen !== undefined || undefined} onClick={place}>
              <img src={imageUrl(image)} alt={t('sites.plan')} />
              {spots.map(({ device_id: id, x, y }) => {
                const device = list.find((one) => one.id === id);
                if (!device) return null;
                return (
                  <span
                    key={id}
                    className={styles.spot}
                    data-chosen={id === chosen || undefined}
                    style={{ insetInlineStart: `${x}%`, insetBlockStart: `${y}%` }}
                  >
                    <StatusMark kind={statusKinds[statusName(device.status)]}>{device.name}</StatusMark>
                  </span>
                );
              })}
            </div>
          </div>
          <div>
            <p className={styles.muted}>{t('sites.plan.hint')}</p>
            <ul className={styles.list} aria-label={t('sites.plan.devices')}>
              {list.map(({ id, name }) => {
                const isPlaced = spots.some((spot) => spot.device_id === id);
                return (
                  <li key={id}>
                    <PressArea
                      className={styles.device}
                      isPressed={id === chosen}
                      onClick={() => setChosen(id)}
                      onKeyDown={(event) => press(event, id)}
                    >
                      {name} <span className={styles.muted}>{t(isPlaced ? 'sites.plan.placed' : 'sites.plan.unplaced')}</span>
                    </PressArea>
                    {isPlaced ? (
                      <IconButton
                        icon="x"
                        size="small"
                        label={t('sites.plan.take_off', { name })}
                        onClick={() => setSpots((former) => former.filter((spot) => spot.device_id !== id))}
                      />
                    ) : null}
                  </li>
                );
              })}
            </ul>
          </div>
        </div>
      )}
    </Card>
  );
}

export interface Plan {
  image_id: number | null;
  spots: (PlanSpot & { name: string; status: number | null })[];
}
