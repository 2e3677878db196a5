import { keys, useOne, type GetOneResponse } from '@refinedev/core';
import { useEffect } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import type { Device } from '../../../schemas/_generated/contract.ts';
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
import { ErrorState, PageError, PageHeader, Skeleton, StatusMark, TabLinks, Tag } from '../../ui/index.ts';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { DeviceHead } from './DeviceHead.tsx';
import { ACTIVITY, NOTHING_KNOWN, OWN_TABS } from './tabs.tsx';
import { useDetails } from './use-details.ts';
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

/** One device: how it is and was, what happened to it, and what belongs to it, each part at its own address. */
export default function DevicePage({ id }: { id: number }) {
  // `dashboards/7` is the part of the dashboards with one of them open.
  const asked = (useParams()['*'] ?? '').replace(/^dashboards\/[1-9]\d{0,9}$/, 'dashboards');
  const can = useCan();
  const lists = deriveTabs(resources, 'devices', can);
  const isThere =
    OWN_TABS.some(({ path, permissions = [] }) => path === asked && permissions.every((name) => can(name))) ||
    lists.some(({ place }) => place.path === asked);
  // @NOTE Before anything is asked for: going to another address cancels what the former one waits for.
  return isThere ? <Parts id={id} asked={asked} /> : <Navigate to={`/devices/${id}/${ACTIVITY}`} replace />;
}

function Parts({ id, asked }: { id: number; asked: string }) {
  const t = useT();
  const can = useCan();
  const lists = deriveTabs(resources, 'devices', can);
  const { data, error, refetch } = useDevice(id);
  const { data: known, error: detailsError, refetch: readDetails } = useDetails(id);
  const details = known?.data;
  const device = data?.data;
  if (error) return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.device')} />;
  if (!device) return <PageSkeleton />;
  const own = OWN_TABS.find(({ path }) => path === asked);
  const list = lists.find(({ place }) => place.path === asked);
  // Parts that every device has do not wait for what this one reported.
  const shown = details ?? (own?.isThere ? undefined : NOTHING_KNOWN);
  // The one that is looked at stays, so that nothing goes away under the reader's hand.
  const there = OWN_TABS.filter(
    ({ path, permissions = [], isThere = () => true }) =>
      permissions.every((name) => can(name)) &&
      (path === asked || (details ? isThere(device, details) : !OWN_TABS.find((tab) => tab.path === path)?.isThere)),
  );
  const tabs = [
    ...there.map(({ path, order, label }) => ({ path, order, label: t(label) })),
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
      <DeviceHead device={device} details={details ?? NOTHING_KNOWN} />
      <TabLinks
        label={t('devices.tabs.label')}
        tabs={tabs.map(({ path, label }) => ({ to: `/devices/${id}/${path}`, label, isCurrent: path === asked }))}
      />
      {own && shown ? <own.Part device={device} details={shown} /> : null}
      {own && !shown && !detailsError ? <Skeleton height={260} /> : null}
      {own && !shown && detailsError ? <ErrorState error={detailsError} onRetry={() => void readDetails()} /> : null}
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
