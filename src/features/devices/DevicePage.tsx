import { keys, useOne, type GetOneResponse } from '@refinedev/core';
import { useEffect, type ComponentType } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import type { Device, PermissionName } from '../../../schemas/_generated/contract.ts';
import { supports, type DeviceFeature } from '../../../schemas/kit/device-capabilities.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { resources } from '../../engine/resources/all.ts';
import { deriveTabs } from '../../engine/resources/derive.ts';
import { resourceTitle } from '../../engine/table/labels.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { queryClient } from '../../kernel/queries.ts';
import { useCan, useUser } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { PageError, PageHeader, Skeleton, StatusMark, TabLinks, Tag } from '../../ui/index.ts';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { DeviceActivity } from './DeviceActivity.tsx';
import { DeviceDataUsage } from './DeviceDataUsage.tsx';
import { DeviceEsim } from './DeviceEsim.tsx';
import { DeviceMetrics } from './DeviceMetrics.tsx';
import { DeviceNotes } from './DeviceNotes.tsx';
import { PresenceStrip } from './PresenceStrip.tsx';
import { statusKinds, statusName } from './status.ts';
import styles from './devices.module.css';

const ACTIVITY = 'activity';
interface OwnTab {
  path: string;
  order: number;
  label: string;
  Part: ComponentType<{ device: Device }>;
  /** Only on devices that can do this. */
  feature?: DeviceFeature;
  permission?: PermissionName;
}

/** The parts that are no lists, at the addresses that the public consoles of this kind use. */
const OWN_TABS: readonly OwnTab[] = [
  { path: ACTIVITY, order: 0, label: 'devices.tabs.activity', Part: DeviceActivity },
  { path: 'metrics/dynamic', order: 10, label: 'devices.tabs.metrics', Part: DeviceMetrics },
  { path: 'data-usage', order: 20, label: 'devices.tabs.data_usage', Part: DeviceDataUsage },
  { path: 'notes', order: 50, label: 'devices.tabs.notes', Part: DeviceNotes },
  { path: 'esim', order: 65, label: 'devices.tabs.esim', Part: DeviceEsim, feature: 'esim', permission: 'create_multi_configuration' },
];

const ownTabs = (can: (permission: PermissionName) => boolean): OwnTab[] =>
  OWN_TABS.filter(({ permission }) => permission === undefined || can(permission));

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

/** One device: how it is and was, what happened to it, and what belongs to it, each part at its own address. */
export default function DevicePage({ id }: { id: number }) {
  const asked = useParams()['*'] ?? '';
  const can = useCan();
  const lists = deriveTabs(resources, 'devices', can);
  const isThere = ownTabs(can).some(({ path }) => path === asked) || lists.some(({ place }) => place.path === asked);
  // @NOTE Before anything is asked for: going to another address cancels what the former one waits for.
  return isThere ? <Parts id={id} asked={asked} /> : <Navigate to={`/devices/${id}/${ACTIVITY}`} replace />;
}

function Parts({ id, asked }: { id: number; asked: string }) {
  const t = useT();
  const can = useCan();
  const lists = deriveTabs(resources, 'devices', can);
  const { data, error, refetch } = useDevice(id);
  const device = data?.data;
  if (error) return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.device')} />;
  if (!device) return <PageSkeleton />;
  const own = ownTabs(can).find(({ path }) => path === asked);
  const list = lists.find(({ place }) => place.path === asked);
  const tabs = [
    ...ownTabs(can)
      .filter(({ feature }) => feature === undefined || supports(device, feature))
      .map(({ path, order, label }) => ({ path, order, label: t(label) })),
    ...lists.map(({ resource, place: { path, order } }) => ({ path, order, label: resourceTitle(resource) })),
  ].toSorted((a, b) => a.order - b.order);
  return (
    <div className={list ? styles.listPage : styles.page}>
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
      <PresenceStrip device={device} />
      <TabLinks
        label={t('devices.tabs.label')}
        tabs={tabs.map(({ path, label }) => ({ to: `/devices/${id}/${path}`, label, isCurrent: path === asked }))}
      />
      {own ? <own.Part device={device} /> : null}
      {list ? <ResourceListPage key={list.place.path} resource={list.resource} within={{ key: list.place.filter, value: id }} /> : null}
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
