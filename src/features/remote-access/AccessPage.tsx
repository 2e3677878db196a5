import { useOne } from '@refinedev/core';
import { Link, Navigate, useParams } from 'react-router';
import type { RemoteEntry } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { getResource, resources } from '../../engine/resources/all.ts';
import { deriveTabs } from '../../engine/resources/derive.ts';
import { resourceTitle, valueLabel } from '../../engine/table/labels.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import { isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Banner, PageError, PageHeader, Skeleton, StatusMark, TabLinks } from '../../ui/index.ts';
import { EntryFacts } from './EntryFacts.tsx';
import { OpenSessions } from './OpenSessions.tsx';
import styles from './remote-access.module.css';

const RESOURCE = 'remote-access';
const LIST = '/remote/access';
const GENERAL = 'general';
const KINDS = { open: 'good', closed: 'bad', silent: 'warn', blocked: 'bad', unchecked: 'idle' } as const;

/** One entry of remote access: what it leads to, who is connected now, who was, and with whom it is shared. */
export default function AccessPage({ id }: { id: number }) {
  const t = useT();
  const asked = useParams()['*'] ?? '';
  const lists = deriveTabs(resources, RESOURCE, useCan());
  const { data, error, refetch } = useOne<RemoteEntry, ApiError>({ resource: RESOURCE, id, errorNotification: false }).query;
  const entry = data?.data;
  const list = lists.find(({ place }) => place.path === asked);
  const base = `${LIST}/${id}`;
  if (asked !== GENERAL && !list) return <Navigate to={`${base}/${GENERAL}`} replace />;
  if (error && !isCancelled(error))
    return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.remote_entry')} />;
  const tabs = [
    { path: GENERAL, label: t('remote-access.general') },
    ...lists.map(({ resource, place }) => ({ path: place.path, label: resourceTitle(resource) })),
  ];
  return (
    <div className={list ? styles.listPage : undefined}>
      {entry ? (
        <PageHeader
          title={entry.name}
          subtitle={<StatusMark kind={KINDS[entry.state]}>{valueLabel(getResource(RESOURCE), 'state', entry.state)}</StatusMark>}
          breadcrumb={[
            <Link key="all" to={LIST}>
              {t(`resources.${RESOURCE}.title`)}
            </Link>,
          ]}
          actions={<PageActions resource={RESOURCE} row={{ ...entry }} onDone={() => void refetch()} />}
        />
      ) : (
        <Skeleton width={260} height={28} />
      )}
      <TabLinks
        label={t('remote-access.tabs')}
        tabs={tabs.map(({ path, label }) => ({ to: `${base}/${path}`, label, isCurrent: path === asked }))}
      />
      {list ? <ResourceListPage key={list.place.path} resource={list.resource} within={{ key: list.place.filter, value: id }} /> : null}
      {asked === GENERAL && entry ? (
        <div className={styles.page}>
          {entry.state === 'blocked' ? <Banner kind="bad">{t('remote-access.blocked')}</Banner> : null}
          <EntryFacts entry={entry} />
          <OpenSessions entryId={id} />
        </div>
      ) : null}
    </div>
  );
}
