import { useOne } from '@refinedev/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Site } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { resources } from '../../engine/resources/all.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card, PageError, PageHeader, Skeleton, StatusMark } from '../../ui/index.ts';
import { Facts } from './DeviceFacts.tsx';
import { FleetMap } from './FleetMap.tsx';
import { NetworkMap } from './NetworkMap.tsx';
import { SitePlan } from './SitePlan.tsx';
import styles from './map.module.css';

const devices = resources.find(({ name }) => name === 'devices');
const MAP_HEIGHT = 300;

function SiteStatus({ site: { devices_count: all, offline_count: offline } }: { site: Site }) {
  const t = useT();
  if (all === 0) return <StatusMark kind="idle">{t('sites.no_devices')}</StatusMark>;
  return (
    <StatusMark kind={offline === 0 ? 'good' : 'bad'}>
      {offline === 0 ? t('sites.all_well') : t('sites.offline', { count: offline })}
    </StatusMark>
  );
}

/** A site: whom to call, where it is, and the devices there. */
export default function SitePage({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const { query } = useOne<Site, ApiError>({ resource: 'sites', id, errorNotification: false });
  const { error, refetch } = query;
  const site = query.data?.data;
  const filters = useMemo(() => ({ site_id: String(id) }), [id]);
  if (error) return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.site')} />;
  if (!site) return <Skeleton height={320} />;
  const { latitude, longitude, contact_email: email, contact_phone: phone } = site;
  return (
    <div className={styles.page}>
      <PageHeader
        title={site.name}
        subtitle={<SiteStatus site={site} />}
        breadcrumb={[
          <Link key="above" to="/management/sites">
            {t('resources.sites.title')}
          </Link>,
        ]}
        actions={<PageActions resource="sites" row={{ ...site }} onDone={() => void refetch()} />}
      />
      <div className={styles.sides}>
        <Card title={t('sites.about')}>
          <Facts
            facts={[
              can('view_companies') ? [t('fields.company_name'), site.company_name] : undefined,
              [t('fields.address'), site.address ?? '—'],
              [t('devices.gps.coordinates'), latitude === null || longitude === null ? '—' : `${latitude}, ${longitude}`],
              [t('fields.contact_name'), site.contact_name ?? '—'],
              [
                t('fields.contact_phone'),
                phone === null ? (
                  '—'
                ) : (
                  <a key="phone" href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
                    {phone}
                  </a>
                ),
              ],
              [
                t('fields.contact_email'),
                email === null ? (
                  '—'
                ) : (
                  <a key="email" href={`mailto:${email}`}>
                    {email}
                  </a>
                ),
              ],
              [
                t('fields.notes'),
                site.notes === null ? (
                  '—'
                ) : (
                  <span key="notes" className={styles.notes}>
                    {site.notes}
                  </span>
                ),
              ],
            ]}
          />
        </Card>
        <FleetMap query={filters} height={MAP_HEIGHT} />
      </div>
      {can('view_devices') && can('view_device_dashboard') && site.devices_count > 0 ? <SitePlan key={id} id={id} /> : null}
      {can('view_devices') && site.devices_count > 0 ? <NetworkMap key={id} of="sites" id={id} /> : null}
      {devices && can('view_devices') ? <ResourceListPage resource={devices} within={{ key: 'site_id', value: id }} /> : null}
    </div>
  );
}
