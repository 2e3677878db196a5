import { useOne } from '@refinedev/core';
import { Link, Navigate, useParams } from 'react-router';
import type { VpnHub } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { resources } from '../../engine/resources/all.ts';
import { deriveTabs } from '../../engine/resources/derive.ts';
import { resourceTitle } from '../../engine/table/labels.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import { isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Banner, Card, Code, PageError, PageHeader, Skeleton, StatusMark, TabLinks } from '../../ui/index.ts';
import { ReachCard } from './ReachCard.tsx';
import styles from './vpn.module.css';

const GENERAL = 'general';

const useHub = (id: number) => useOne<VpnHub, ApiError>({ resource: 'vpn-hubs', id, errorNotification: false }).query;

/** One VPN hub: what it is and who reaches what, with its clients, routes and rules. */
export default function VpnHubPage({ id }: { id: number }) {
  const t = useT();
  const asked = useParams()['*'] ?? '';
  const lists = deriveTabs(resources, 'vpn-hubs', useCan());
  const list = lists.find(({ place }) => place.path === asked);
  if (asked !== GENERAL && !list) return <Navigate to={`/vpn/hubs/${id}/${GENERAL}`} replace />;
  const tabs = [
    { path: GENERAL, label: t('vpn.general') },
    ...lists.map(({ resource, place }) => ({ path: place.path, label: resourceTitle(resource) })),
  ];
  return (
    <div className={list ? styles.listPage : undefined}>
      <Head id={id} />
      <TabLinks
        label={t('vpn.tabs')}
        tabs={tabs.map(({ path, label }) => ({ to: `/vpn/hubs/${id}/${path}`, label, isCurrent: path === asked }))}
      />
      {list ? (
        <ResourceListPage key={list.place.path} resource={list.resource} within={{ key: list.place.filter, value: id }} />
      ) : (
        <GeneralTab id={id} />
      )}
    </div>
  );
}

function Head({ id }: { id: number }) {
  const t = useT();
  const { data, error, refetch } = useHub(id);
  const hub = data?.data;
  if (error && !isCancelled(error))
    return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.vpn_hub')} />;
  if (!hub) return <Skeleton width={260} height={28} />;
  return (
    <PageHeader
      title={hub.name}
      subtitle={<StatusMark kind={hub.enabled === 1 ? 'good' : 'idle'}>{t(`values.vpn_hub.enabled.${hub.enabled}`)}</StatusMark>}
      breadcrumb={[
        <Link key="all" to="/vpn/hubs">
          {t('resources.vpn-hubs.title')}
        </Link>,
      ]}
      actions={<PageActions resource="vpn-hubs" row={{ ...hub }} onDone={() => void refetch()} />}
    />
  );
}

function GeneralTab({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const hub = useHub(id).data?.data;
  if (!hub) return <Skeleton height={200} />;
  return (
    <div className={styles.page}>
      <Banner kind="info">{t('vpn.not_run')}</Banner>
      <Card title={t('vpn.about')}>
        {hub.description === null ? null : <p>{hub.description}</p>}
        <dl className={styles.facts}>
          {can('view_companies') ? (
            <>
              <dt>{t('fields.company_name')}</dt>
              <dd>{hub.company_name}</dd>
            </>
          ) : null}
          <dt>{t('fields.endpoint')}</dt>
          <dd>
            <Code>{hub.endpoint}</Code>
          </dd>
          <dt>{t('fields.port')}</dt>
          <dd>{hub.port}</dd>
          <dt>{t('fields.network_address')}</dt>
          <dd>
            <Code>{hub.ip}</Code>
          </dd>
          <dt>{t('fields.netmask')}</dt>
          <dd>
            <Code>{hub.netmask}</Code>
          </dd>
          <dt>{t('fields.hub_ip')}</dt>
          <dd>
            <Code>{hub.hub_ip}</Code>
          </dd>
          <dt>{t('fields.public_key')}</dt>
          <dd>
            <Code>{hub.public_key}</Code>
          </dd>
        </dl>
      </Card>
      <ReachCard hubId={id} />
    </div>
  );
}
