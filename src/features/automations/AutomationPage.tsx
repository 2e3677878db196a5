import { useMany, useOne } from '@refinedev/core';
import { Link, Navigate, useParams } from 'react-router';
import type { Automation, Tag as TagRecord } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { resources } from '../../engine/resources/all.ts';
import { deriveTabs } from '../../engine/resources/derive.ts';
import { resourceTitle } from '../../engine/table/labels.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import { isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { can, useCan } from '../../kernel/session/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { Banner, Card, PageError, PageHeader, Skeleton, StatusMark, TabLinks, Tag } from '../../ui/index.ts';
import { BackTest } from './BackTest.tsx';
import { JsonTab, VersionsTab } from './VersionsTab.tsx';
import { RulePicture } from './RulePicture.tsx';
import type { RuleBranch } from './rule-words.ts';
import styles from './automations.module.css';

const RULE = 'rule';
const OWN = [RULE, 'versions', 'json'] as const;
const LABELS = { rule: 'automations.rule', versions: 'automations.versions', json: 'automations.json' } as const;

const useAutomation = (id: number) => useOne<Automation, ApiError>({ resource: 'automations', id, errorNotification: false }).query;

/** One automation: its rule in words with a back-test, its devices, and what it did. */
export default function AutomationPage({ id }: { id: number }) {
  const t = useT();
  const asked = useParams()['*'] ?? '';
  const lists = deriveTabs(resources, 'automations', useCan());
  const list = lists.find(({ place }) => place.path === asked);
  const own = OWN.find((path) => path === asked);
  const { error, refetch } = useAutomation(id);
  if (!own && !list) return <Navigate to={`/management/automations/${id}/${RULE}`} replace />;
  if (error && !isCancelled(error))
    return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.automation')} />;
  const tabs = [
    { path: RULE as string, label: t(LABELS.rule) },
    ...lists.map(({ resource, place }) => ({ path: place.path, label: resourceTitle(resource) })),
    ...OWN.slice(1).map((path) => ({ path, label: t(LABELS[path]) })),
  ];
  return (
    <div className={list ? styles.listPage : undefined}>
      <Head id={id} />
      <TabLinks
        label={t('automations.tabs')}
        tabs={tabs.map(({ path, label }) => ({ to: `/management/automations/${id}/${path}`, label, isCurrent: path === asked }))}
      />
      {list ? (
        <ResourceListPage key={list.place.path} resource={list.resource} within={{ key: list.place.filter, value: id }} />
      ) : (
        <OwnTab id={id} tab={own ?? RULE} />
      )}
    </div>
  );
}

function Head({ id }: { id: number }) {
  const t = useT();
  const { data, refetch } = useAutomation(id);
  const automation = data?.data;
  if (!automation) return <Skeleton width={260} height={28} />;
  return (
    <PageHeader
      title={automation.name}
      subtitle={
        <StatusMark kind={automation.enabled ? 'good' : 'idle'}>{t(automation.enabled ? 'automations.on' : 'automations.off')}</StatusMark>
      }
      breadcrumb={[
        <Link key="all" to="/management/automations">
          {t('resources.automations.title')}
        </Link>,
      ]}
      actions={<PageActions resource="automations" row={{ ...automation }} onDone={() => void refetch()} />}
    />
  );
}

function OwnTab({ id, tab }: { id: number; tab: (typeof OWN)[number] }) {
  const { data, refetch } = useAutomation(id);
  if (tab === 'versions') return <VersionsTab id={id} onRestored={() => void refetch()} />;
  if (tab === 'json') return data ? <JsonTab automation={data.data} /> : <Skeleton height={200} />;
  return <RuleTab id={id} />;
}

/** The tags of these ids that the user sees. */
function TagsOf({ ids }: { ids: readonly number[] }) {
  const { query } = useMany<TagRecord, ApiError>({
    resource: 'tags',
    ids: [...ids],
    queryOptions: { enabled: ids.length > 0 && can('view_tags') },
    errorNotification: false,
  });
  return query.data?.data.map(({ id, name, color }) => (
    <Tag key={id} color={color}>
      {name}
    </Tag>
  ));
}

function RuleTab({ id }: { id: number }) {
  const t = useT();
  const automation = useAutomation(id).data?.data;
  if (!automation) return <Skeleton height={200} />;
  const {
    delay_duration: delay,
    delay_repetitions_count: reports,
    cooldown_duration: cooldown,
    recovery_duration: recovery,
    period,
    period_trigger_limit: limit,
  } = automation;
  const seconds = (value: number): string => (value === 0 ? t('automations.none') : formatDuration(value * 1000));
  return (
    <div className={styles.page}>
      {automation.user_id === null ? (
        <Banner kind="warn" title={t('automations.nobody')}>
          {t('automations.nobody.text')}
        </Banner>
      ) : null}
      <Card title={t('automations.rule')}>
        {automation.description ? <p>{automation.description}</p> : null}
        <RulePicture branches={automation.conditions_body as unknown as RuleBranch[]} />
      </Card>
      <Card title={t('automations.settings')}>
        <dl className={styles.facts}>
          <dt>{t('fields.applies_to')}</dt>
          <dd>
            {t(`values.automation.applies_to.${automation.applies_to}`)} <TagsOf ids={automation.tag_ids} />
          </dd>
          <dt>{t('automations.settings.delay_duration')}</dt>
          <dd>{reports > 1 ? `${seconds(delay)} · ${t('automations.reports', { count: reports })}` : seconds(delay)}</dd>
          <dt>{t('automations.settings.cooldown_duration')}</dt>
          <dd>{seconds(cooldown)}</dd>
          <dt>{t('automations.settings.recovery_duration')}</dt>
          <dd>{recovery === null ? t('automations.settings.recovery_default') : seconds(recovery)}</dd>
          <dt>{t('automations.settings.period_trigger_limit')}</dt>
          <dd>{limit === null ? t('automations.none') : `${limit} · ${t(`values.automation.period.${period}`)}`}</dd>
          <dt>{t('fields.total_triggered_count')}</dt>
          <dd>{automation.total_triggered_count}</dd>
          <dt>{t('fields.user_name')}</dt>
          <dd>{automation.user_name}</dd>
        </dl>
      </Card>
      <BackTest id={id} />
    </div>
  );
}
