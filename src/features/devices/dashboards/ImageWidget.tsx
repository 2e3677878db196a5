import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Device } from '../../../../schemas/_generated/contract.ts';
import type { Spot } from '../../../../schemas/kit/resources/dashboards.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { StatusMark } from '../../../ui/index.ts';
import { statusKinds, statusName } from '../status.ts';
import { useWidgetData, type DashboardContext, type WidgetProps } from './dashboard-data.ts';
import { Nothing, useDevice, wordsOf } from './widget-parts.tsx';
import { imageUrl } from './image-url.ts';
import { sourceName } from './source-names.ts';
import styles from './dashboards.module.css';

const NONE: readonly Spot[] = [];

function DeviceSpot({ id, around }: { id: number; around: DashboardContext }) {
  const t = useT();
  const device = useWidgetData<Device>(`/devices/${id}`, {}, around).data?.data;
  if (!device) return <StatusMark kind="idle">—</StatusMark>;
  const name = statusName(device.status);
  return (
    <StatusMark kind={statusKinds[name]}>
      <Link to={`/devices/${id}`}>{device.name}</Link> <span className="visually-hidden">{t(`devices.status.${name}`)}</span>
    </StatusMark>
  );
}

function ValueSpot({ source, around }: { source: string; around: DashboardContext }) {
  const t = useT();
  const device = useDevice(around).data?.data;
  const value = device && Object.entries(device).find(([name]) => name === source)?.[1];
  return (
    <>
      {sourceName(t, source)} <strong>{wordsOf(t, source, value)}</strong>
    </>
  );
}

/** What a point of an image says. */
function SpotText({ spot, around }: { spot: Spot; around: DashboardContext }) {
  if (spot.device_id !== undefined) return <DeviceSpot id={spot.device_id} around={around} />;
  if (spot.source !== undefined && around.deviceId !== undefined) return <ValueSpot source={spot.source} around={around} />;
  return <>—</>;
}

interface SpottedImageProps {
  image: number;
  spots: readonly Spot[];
  children(spot: Spot, index: number): ReactNode;
  onGone?(): void;
}

/** An image with what is drawn at its points. */
export function SpottedImage({ image, spots, children, onGone }: SpottedImageProps) {
  return (
    <>
      <img src={imageUrl(image)} alt="" onError={onGone} />
      {spots.map((spot, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- Points have no name, and keep their order.
          key={index}
          className={styles.spot}
          style={{ insetInlineStart: `${spot.x}%`, insetBlockStart: `${spot.y}%` }}
        >
          {children(spot, index)}
        </span>
      ))}
    </>
  );
}

/** An image with points on it: devices with their state, or values of the device. */
export function ImageWidget({ widget: { image, spots = NONE, title }, around }: WidgetProps) {
  const t = useT();
  const [isGone, setGone] = useState(false);
  if (image === undefined) return <Nothing />;
  if (isGone) return <p className={styles.muted}>{t('dashboards.image.gone')}</p>;
  return (
    <figure className={styles.image} aria-label={title || t('dashboards.type.image')}>
      <SpottedImage image={image} spots={spots} onGone={() => setGone(true)}>
        {(spot) => <SpotText spot={spot} around={around} />}
      </SpottedImage>
    </figure>
  );
}
