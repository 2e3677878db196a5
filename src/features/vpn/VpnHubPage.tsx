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
import { SECOND } from '../../kernel/time/index.ts';
import {
  Card,
  Code,
  ExactTime,
  PageError,
  PageHeader,
  RelativeTime,
  Skeleton,
  StatusMark,
  TabLinks,
  TagLine,
  Tag,
} from '../../ui/index.ts';
import { runKinds } from './cells.tsx';
import { ConfigurationTab } from './ConfigurationTab.tsx';
import { DataUsageTab } from './DataUsageTab.tsx';
import { HubBanners, LiveSessions, ReachPicture } from './HubParts.tsx';
import { QuickSteps } from './QuickSteps.tsx';
import { ReachCard } from './ReachCard.tsx';
import styles from './vpn.module.css';

const GENERAL = 'general';
const LOOK_EVERY_MS = 5 * SECOND;

type HubResource = 'vpn-hubs' | 'vpn-quick-hubs';
const addresses: Record<HubResource, string> = { 'vpn-hubs': '/vpn/hubs', 'vpn-quick-hubs': '/vpn/quick-connect' };

const useHub = (resource: HubResource, id: number) =>
  useOne<VpnHub, ApiError>({ resource, id, errorNotification: false, queryOptions: { refetchInterval: LOOK_EVERY_MS } }).query;

/** One VPN hub: how it is, who reaches what, its clients, routes, rules, traffic and connections. */
export default function VpnHubPage({ id }: { id: number }) {
  return <HubPage resource="vpn-hubs" id={id} />;
}

/** The page of a hub, or of a quick one. */
export function HubPage({ resource, id }: { resource: HubResource; id: number }) {
  const t = useT();
  const asked = useParams()['*'] ?? '';
  const lists = deriveTabs(resources, resource, useCan());
  const { data, error, refetch } = useHub(resource, id);
  const hub = data?.data;
  const own = resource === 'vpn-hubs' ? (['data-usage', 'configuration'] as const) : (['data-usage'] as const);
  const list = lists.find(({ place }) => place.path === asked);
  const base = `${addresses[resource]}/${id}`;
  const isOwn = (own as readonly string[]).includes(asked);
  if (asked !== GENERAL && !list && !isOwn) return <Navigate to={`${base}/${GENERAL}`} replace />;
  const listTabs = lists.map(({ resource: one, place }) => ({ path: place.path, label: resourceTitle(one) }));
  const tabs = [
    { path: GENERAL, label: t('vpn.general') },
    ...listTabs.filter(({ path }) => path !== 'connection-logs'),
    { path: 'data-usage', label: t('vpn.data_usage') },
    ...listTabs.filter(({ path }) => path === 'connection-logs'),
    ...(resource === 'vpn-hubs' ? [{ path: 'configuration', label: t('vpn.configuration') }] : []),
  ];
  if (error && !isCancelled(error))
    return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.vpn_hub')} />;
  return (
    <div className={list ? styles.listPage : undefined}>
      <Head resource={resource} hub={hub} onDone={() => void refetch()} />
      <TabLinks label={t('vpn.tabs')} tabs={tabs.map(({ path, label }) => ({ to: `${base}/${path}`, label, isCurrent: path === asked }))} />
      {list ? <ResourceListPage key={list.place.path} resource={list.resource} within={{ key: list.place.filter, value: id }} /> : null}
      {asked === 'data-usage' ? <DataUsageTab hubId={id} /> : null}
      {asked === 'configuration' && hub ? <ConfigurationTab hub={hub} /> : null}
      {asked === GENERAL && hub ? <GeneralTab hub={hub} /> : null}
    </div>
  );
}

function Head({ resource, hub, onDone }: { resource: HubResource; hub: VpnHub | undefined; onDone(): void }) {
  const t = useT();
  if (!hub) return <Skeleton width={260} height={28} />;
  return (
    <PageHeader
      title={hub.name}
      subtitle={<StatusMark kind={runKinds[hub.run_state]}>{t(`values.vpn_hub.run_state.${hub.run_state}`)}</StatusMark>}
      breadcrumb={[
        <Link key="all" to={addresses[resource]}>
          {t(`resources.${resource}.title`)}
        </Link>,
      ]}
      actions={<PageActions resource={resource} row={{ ...hub }} onDone={onDone} />}
    />
  );
}

function GeneralTab({ hub }: { hub: VpnHub }) {
  return (
    <div className={styles.page}>
      <HubBanners hub={hub} />
      {hub.quick_hub === 1 ? <QuickSteps hub={hub} /> : null}
      <Facts hub={hub} />
      <LiveSessions hubId={hub.id} />
      {hub.quick_hub === 1 ? null : <ReachCard hubId={hub.id} />}
      {hub.quick_hub === 1 ? null : <ReachPicture hubId={hub.id} />}
    </div>
  );
}

function Facts({ hub }: { hub: VpnHub }) {
  const t = useT();
  const can = useCan();
  return (
    <Card title={t('vpn.about')}>
      {hub.description === null ? null : <p>{hub.description}</p>}
      <dl className={styles.facts}>
        {can('view_companies') ? (
          <>
            <dt>{t('fields.company_name')}</dt>
            <dd>{hub.company_name}</dd>
          </>
        ) : null}
        <dt>{t('fields.vpn_type')}</dt>
        <dd>{t(`values.vpn_hub.vpn_type.${hub.vpn_type}`)}</dd>
        <dt>{t('fields.endpoint')}</dt>
        <dd>
          <Code>
            {hub.endpoint}:{hub.port}
          </Code>
        </dd>
        <dt>{t('fields.network_address')}</dt>
        <dd>
          <Code>{hub.ip}</Code> <Code>{hub.netmask}</Code>
        </dd>
        <dt>{t('fields.hub_ip')}</dt>
        <dd>
          <Code>{hub.hub_ip}</Code>
        </dd>
        {hub.ends_at === null ? null : (
          <>
            <dt>{t('vpn.ends')}</dt>
            <dd>
              <RelativeTime time={hub.ends_at} />
            </dd>
          </>
        )}
        {hub.server_crt_expire_at === null || hub.ca_crt_expire_at === null ? null : (
          <>
            <dt>{t('fields.server_crt_expire_at')}</dt>
            <dd>
              <ExactTime time={hub.server_crt_expire_at} />
            </dd>
            <dt>{t('fields.ca_crt_expire_at')}</dt>
            <dd>
              <ExactTime time={hub.ca_crt_expire_at} />
            </dd>
          </>
        )}
        {hub.public_key === '' ? null : (
          <>
            <dt>{t('fields.public_key')}</dt>
            <dd>
              <Code>{hub.public_key}</Code>
            </dd>
          </>
        )}
        {hub.tags.length === 0 ? null : (
          <>
            <dt>{t('fields.tags')}</dt>
            <dd>
              <TagLine more={undefined}>
                {hub.tags.map((tag) => (
                  <Tag key={tag.id} color={tag.color}>
                    {tag.name}
                  </Tag>
                ))}
              </TagLine>
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}
