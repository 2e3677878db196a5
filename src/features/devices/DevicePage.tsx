import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { HistoryPanel } from '../../engine/history/HistoryPanel.tsx';
import { api } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan, useUser } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { Card } from '../../ui/Card.tsx';
import { PageError } from '../../ui/PageError.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StatusMark } from '../../ui/StatusMark.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { DeviceEvents } from './DeviceEvents.tsx';
import { DeviceFacts, LiveFacts } from './DeviceFacts.tsx';
import { statusKinds, statusName } from './status.ts';
import styles from './devices.module.css';

/** The device, patched in place by what the live channel says of it. */
function useDevice(id: number) {
  const client = useQueryClient();
  const user = useUser();
  const query = useQuery({ queryKey: ['devices', 'one', id], queryFn: async () => (await api.get<Device>(`/devices/${id}`)).data });
  useEffect(
    () =>
      live.follow(`companies.${user.company_id}.devices`, {
        onEvent(event, payload) {
          if (event !== 'DeviceChanged' || !Array.isArray(payload)) return;
          for (const change of payload as Partial<Device>[]) {
            if (change.id === id) client.setQueryData<Device>(['devices', 'one', id], (device) => device && { ...device, ...change });
          }
        },
        onFollowed: () => void client.invalidateQueries({ queryKey: ['devices', 'one', id] }),
      }),
    [client, id, user.company_id],
  );
  return query;
}

export default function DevicePage({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const { data: device, error, refetch } = useDevice(id);
  if (error) return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.device')} />;
  if (!device) return <PageSkeleton />;
  return (
    <div className={styles.page}>
      <PageHeader
        title={device.name}
        subtitle={<DeviceSubtitle device={device} />}
        breadcrumb={<Link to="/management/devices">{t('resources.devices.title')}</Link>}
        actions={<PageActions resource="devices" row={{ ...device }} onDone={() => void refetch()} />}
      />
      <ConnectionNotice device={device} />
      <div className={styles.grid}>
        <div className={styles.column}>
          <Card title={t('devices.live.title')} extra={<LastReport device={device} />}>
            <LiveFacts device={device} />
          </Card>
          {can('view_device_logs') ? <DeviceEvents deviceId={id} /> : null}
        </div>
        <div className={styles.column}>
          <Card title={t('devices.about.title')}>
            <DeviceFacts device={device} />
          </Card>
          {can('view_history') ? <HistoryPanel entity="device" entityId={id} /> : null}
        </div>
      </div>
    </div>
  );
}

function DeviceSubtitle({ device }: { device: Device }) {
  const t = useT();
  const name = statusName(device.status);
  return (
    <span className={styles.subtitle}>
      <StatusMark kind={statusKinds[name]}>{t(`devices.status.${name}`)}</StatusMark>
      {device.is_simulated ? <span className={styles.simulated}>{t('devices.simulated')}</span> : null}
      {device.tags.map((tag) => (
        <Tag key={tag.id} color={tag.color}>
          {tag.name}
        </Tag>
      ))}
    </span>
  );
}

function LastReport({ device }: { device: Device }) {
  const t = useT();
  if (!device.last_update_at) return null;
  return (
    <span className={styles.muted}>
      {t('devices.live.reported')} <RelativeTime time={device.last_update_at} />
    </span>
  );
}

function PageSkeleton() {
  return (
    <div className={styles.page} aria-busy="true">
      <Skeleton width={260} height={28} />
      <div className={styles.grid}>
        <Skeleton height={320} />
        <Skeleton height={320} />
      </div>
    </div>
  );
}
