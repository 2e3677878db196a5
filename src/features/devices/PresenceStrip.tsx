import { useCustom } from '@refinedev/core';
import type { Device } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { formatTime, SECOND } from '../../kernel/time/index.ts';
import styles from './devices.module.css';

interface Presence {
  spans: { from: number; to: number; is_online: boolean }[];
  online_percent: number | null;
}

const DAY_SECONDS = 86_400;
const timeOf = (seconds: number): string => formatTime(seconds * SECOND, 'YYYY-MM-DD HH:mm');

/** The last 24 hours of a device as one strip: online, offline, and what is not known. Nothing while nothing is known. */
export function PresenceStrip({ device }: { device: Device }) {
  const t = useT();
  const { query } = useCustom<Presence, ApiError>({
    url: `/devices/${device.id}/presence`,
    method: 'get',
    // Read again when the device comes or goes.
    config: { query: {} },
    meta: { status: device.status },
    errorNotification: false,
  });
  const presence = query.data?.data;
  if (!presence || presence.online_percent === null) return null;
  const end = presence.spans.at(-1)?.to ?? 0;
  const percent = t('devices.presence.percent', { percent: formatNumber(Math.round(presence.online_percent * 10) / 10) });
  return (
    <div className={styles.presence}>
      <span className={styles.muted}>{t('devices.presence.title')}</span>
      <div className={styles.strip24} role="img" aria-label={`${t('devices.presence.title')}: ${percent}`}>
        {presence.spans.map(({ from, to, is_online }) => (
          <span
            key={from}
            className={is_online ? styles.wasOnline : styles.wasOffline}
            style={{
              insetInlineStart: `${(1 - (end - from) / DAY_SECONDS) * 100}%`,
              inlineSize: `${((to - from) / DAY_SECONDS) * 100}%`,
            }}
            title={`${t(`devices.status.${is_online ? 'online' : 'offline'}`)}: ${timeOf(from)} – ${timeOf(to)}`}
          />
        ))}
      </div>
      <span>{percent}</span>
    </div>
  );
}
