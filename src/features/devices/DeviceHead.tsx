import { useCustom } from '@refinedev/core';
import { Link } from 'react-router';
import type { Device, DeviceDetails } from '../../../schemas/_generated/contract.ts';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { brandedModel, useTheme } from '../../kernel/theme/index.ts';
import { RelativeTime, StatusMark } from '../../ui/index.ts';
import { useDataLimit } from './DeviceMobileData.tsx';
import { ModelPicture } from './ModelPicture.tsx';
import { PresenceStrip } from './PresenceStrip.tsx';
import { SignalBars } from './SignalBars.tsx';
import styles from './details.module.css';

interface NextOpening {
  name: string | null;
  is_open: boolean | null;
  opens_at: string | null;
  closes_at: string | null;
}

/** When the device may be worked on; nothing where it has no maintenance window. */
function Maintenance({ device }: { device: Device }) {
  const t = useT();
  const can = useCan();
  const { query } = useCustom<NextOpening, ApiError>({
    url: `/devices/${device.id}/maintenance-window`,
    method: 'get',
    errorNotification: false,
    queryOptions: { enabled: can('view_device_updates') },
  });
  const { is_open: isOpen, opens_at, closes_at, name } = query.data?.data ?? {};
  const at = parseWire(isOpen ? closes_at : opens_at);
  if (at === undefined) return null;
  return (
    <div>
      <dt>{t('devices.head.window')}</dt>
      <dd title={name ?? undefined}>{t(isOpen ? 'devices.head.window_open' : 'devices.head.window_opens', { time: formatTime(at) })}</dd>
    </div>
  );
}

/** When the settings were backed up last, and whether they are others since. */
function LastBackup({
  device,
  details: { backed_up_at: at, has_changed_since_backup: hasChanged },
}: {
  device: Device;
  details: DeviceDetails;
}) {
  const t = useT();
  if (at === null) return null;
  return (
    <div>
      <dt>{t('devices.head.backup')}</dt>
      <dd className={styles.signal}>
        <Link to={`/devices/${device.id}/files`}>
          <RelativeTime time={at} saysAgo />
        </Link>
        {hasChanged ? <StatusMark kind="warn">{t('devices.head.changed')}</StatusMark> : null}
      </dd>
    </div>
  );
}

/** Under the name: the device's picture, how it is connected, what it used this month, and when it was there. */
export function DeviceHead({ device, details }: { device: Device; details: DeviceDetails }) {
  const t = useT();
  const theme = useTheme();
  const { data } = useDataLimit(device);
  const limit = data?.data;
  const isOnline = device.status === 1;
  return (
    <div className={styles.head}>
      <ModelPicture model={device.model} isMuted={!isOnline} />
      <dl className={styles.headFacts}>
        {device.model ? (
          <div>
            <dt>{t('fields.model')}</dt>
            <dd>{brandedModel(device.model, theme)}</dd>
          </div>
        ) : null}
        {device.signal === null ? null : (
          <div>
            <dt>{t(isOnline ? 'fields.signal' : 'devices.head.last_signal')}</dt>
            <dd className={styles.signal}>
              <SignalBars dbm={isOnline ? device.signal : null} />
              {t('devices.dbm', { value: device.signal })}
            </dd>
          </div>
        )}
        {limit && (limit.used_bytes > 0 || limit.limit_bytes !== null) ? (
          <div>
            <dt>{t('devices.head.month')}</dt>
            <dd>
              <Link to={`/devices/${device.id}/mobile-data`}>
                {limit.limit_bytes === null
                  ? formatBytes(limit.used_bytes)
                  : t('devices.head.of', { used: formatBytes(limit.used_bytes), limit: formatBytes(limit.limit_bytes) })}
              </Link>
            </dd>
          </div>
        ) : null}
        <Maintenance device={device} />
        <LastBackup device={device} details={details} />
      </dl>
      <div className={styles.headStrip}>
        <PresenceStrip device={device} />
      </div>
    </div>
  );
}
