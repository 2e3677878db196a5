import { Link } from 'react-router';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { brandedModel, useTheme } from '../../kernel/theme/index.ts';
import { useDataLimit } from './DeviceMobileData.tsx';
import { ModelPicture } from './ModelPicture.tsx';
import { PresenceStrip } from './PresenceStrip.tsx';
import { SignalBars } from './SignalBars.tsx';
import styles from './details.module.css';

/** Under the name: how the device looks, how it is connected, what it used this month, and when it was there. */
export function DeviceHead({ device }: { device: Device }) {
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
      </dl>
      <div className={styles.headStrip}>
        <PresenceStrip device={device} />
      </div>
    </div>
  );
}
