import type { Device } from '../../../schemas/_generated/contract.ts';
import { HistoryPanel } from '../../engine/history/HistoryPanel.tsx';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card, RelativeTime } from '../../ui/index.ts';
import { CustomFacts } from './CustomFacts.tsx';
import { DeviceFacts, LiveFacts } from './DeviceFacts.tsx';
import { HealthCard } from './HealthCard.tsx';
import { DeviceTimeline } from './DeviceTimeline.tsx';
import styles from './devices.module.css';

/** How the device is now, what it is, and what happened to it. */
export function DeviceActivity({ device }: { device: Device }) {
  const t = useT();
  const can = useCan();
  return (
    <div className={styles.grid}>
      <div className={styles.column}>
        <Card title={t(device.status === 1 ? 'devices.live.title' : 'devices.live.last')} extra={<LastReport device={device} />}>
          <LiveFacts device={device} />
        </Card>
        <DeviceTimeline device={device} />
      </div>
      <div className={styles.column}>
        <Card title={t('devices.about.title')}>
          <DeviceFacts device={device} />
        </Card>
        <HealthCard device={device} />
        <CustomFacts device={device} />
        {can('view_history') ? <HistoryPanel entity="device" entityId={device.id} /> : null}
      </div>
    </div>
  );
}

function LastReport({ device }: { device: Device }) {
  const t = useT();
  if (!device.last_update_at) return null;
  return (
    <span className={styles.muted}>
      {t('devices.live.reported')} <RelativeTime time={device.last_update_at} saysAgo />
    </span>
  );
}
