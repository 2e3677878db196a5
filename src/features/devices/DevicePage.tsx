import { keys, useOne, type GetOneResponse } from '@refinedev/core';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { HistoryPanel } from '../../engine/history/HistoryPanel.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { queryClient } from '../../kernel/queries.ts';
import { useCan, useUser } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { Card, PageError, PageHeader, RelativeTime, Skeleton, StatusMark, Tag } from '../../ui/index.ts';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { DeviceEvents } from './DeviceEvents.tsx';
import { DeviceFacts, LiveFacts } from './DeviceFacts.tsx';
import { statusKinds, statusName } from './status.ts';
import styles from './devices.module.css';

/** Changes the device in the cache, wherever it is shown; other devices of the company change too often to read this one again each time. */
function patchDevice(id: number, change: Partial<Device>): void {
  queryClient.setQueriesData<GetOneResponse<Device>>(
    { queryKey: keys().data().resource('devices').action('one').id(id).get() },
    (answer) => answer && { ...answer, data: { ...answer.data, ...change } },
  );
}

/** The device, patched in place by what the live channel says of it. */
function useDevice(id: number) {
  const user = useUser();
  const { query } = useOne<Device, ApiError>({ resource: 'devices', id, errorNotification: false });
  const { refetch } = query;
  useEffect(
    () =>
      live.follow(`companies.${user.company_id}.devices`, {
        onEvent(event, payload) {
          if (event !== 'DeviceChanged' || !Array.isArray(payload)) return;
          for (const change of payload as Partial<Device>[]) {
            if (change.id === id) patchDevice(id, change);
          }
        },
        onFollowed: () => void refetch(),
      }),
    [refetch, id, user.company_id],
  );
  return query;
}

export default function DevicePage({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const { data, error, refetch } = useDevice(id);
  const device = data?.data;
  if (error) return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.device')} />;
  if (!device) return <PageSkeleton />;
  return (
    <div className={styles.page}>
      <PageHeader
        title={device.name}
        subtitle={<DeviceSubtitle device={device} />}
        breadcrumb={[
          <Link key="above" to="/management/devices">
            {t('resources.devices.title')}
          </Link>,
        ]}
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
