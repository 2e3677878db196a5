import { useCustom, useOne } from '@refinedev/core';
import { Link, Navigate, useParams } from 'react-router';
import type { MonitoringTemplate } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { resources } from '../../engine/resources/all.ts';
import { deriveTabs } from '../../engine/resources/derive.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { resourceTitle } from '../../engine/table/labels.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import { isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { Card, Code, PageError, PageHeader, Skeleton, SmallTable, StatusMark, TabLinks } from '../../ui/index.ts';
import { TryCard } from './TryCard.tsx';
import styles from './monitoring.module.css';

const VARIABLES = 'variables';
const LIST = '/monitoring-templates';

interface Fields {
  id: number;
  fields: { id: string; url: string; metric: string }[];
}

const useTemplate = (id: number) =>
  useOne<MonitoringTemplate, ApiError>({ resource: 'monitoring-templates', id, errorNotification: false }).query;

/** One monitoring template: its variables, its devices, and what could not be read. */
export default function MonitoringTemplatePage({ id }: { id: number }) {
  const t = useT();
  const asked = useParams()['*'] ?? '';
  const lists = deriveTabs(resources, 'monitoring-templates', useCan());
  const list = lists.find(({ place }) => place.path === asked);
  const { error, refetch } = useTemplate(id);
  if (asked !== VARIABLES && !list) return <Navigate to={`${LIST}/${id}/${VARIABLES}`} replace />;
  if (error && !isCancelled(error))
    return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.monitoring_template')} />;
  const tabs = [
    { path: VARIABLES, label: t('monitoring.variables') },
    ...lists.map(({ resource, place }) => ({ path: place.path, label: resourceTitle(resource) })),
  ];
  return (
    <div className={list ? styles.listPage : undefined}>
      <Head id={id} />
      <TabLinks
        label={t('monitoring.tabs')}
        tabs={tabs.map(({ path, label }) => ({ to: `${LIST}/${id}/${path}`, label, isCurrent: path === asked }))}
      />
      {list ? (
        <ResourceListPage key={list.place.path} resource={list.resource} within={{ key: list.place.filter, value: id }} />
      ) : (
        <VariablesTab id={id} />
      )}
    </div>
  );
}

function Head({ id }: { id: number }) {
  const t = useT();
  const { data, refetch } = useTemplate(id);
  const template = data?.data;
  if (!template) return <Skeleton width={260} height={28} />;
  return (
    <PageHeader
      title={template.name}
      subtitle={
        <>
          <StatusMark kind={template.enabled ? 'good' : 'idle'}>{t(template.enabled ? 'monitoring.on' : 'monitoring.off')}</StatusMark>{' '}
          {`${formatDuration(template.period * 1000)} · ${t('fields.daily_bytes')}: ${formatBytes(template.daily_bytes)}`}
        </>
      }
      breadcrumb={[
        <Link key="all" to={LIST}>
          {t('resources.monitoring-templates.title')}
        </Link>,
      ]}
      actions={<PageActions resource="monitoring-templates" row={{ ...template }} onDone={() => void refetch()} />}
    />
  );
}

type Variable = MonitoringTemplate['data'][number]['variables'][number] & { url: string };

function VariablesTab({ id }: { id: number }) {
  const t = useT();
  const { data, refetch } = useTemplate(id);
  const canEdit = useCan()('update_monitoring');
  const template = data?.data;
  const { query } = useCustom<Fields[], ApiError>({ url: '/devices/data/fields', method: 'get', errorNotification: false });
  if (!template) return <Skeleton height={200} />;
  const metrics = new Map(query.data?.data.find((one) => one.id === id)?.fields.map((field) => [field.id, field.metric]));
  const rows = template.data.flatMap(({ url, variables }) => variables.map((one): Variable => ({ ...one, url })));
  return (
    <div className={styles.page}>
      {template.description ? <p>{template.description}</p> : null}
      <Card title={t('monitoring.variables')}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable without a mouse. */}
        <div className={styles.scroll} role="region" aria-label={t('monitoring.variables')} tabIndex={0}>
          <SmallTable
            label={t('monitoring.variables')}
            className={styles.variables}
            rows={rows}
            keyOf={(row) => row.id}
            columns={[
              { key: 'id', title: t('fields.variable_id'), render: (row: Variable) => row.id },
              { key: 'url', title: t('fields.source_url'), render: (row: Variable) => <Code>{row.url}</Code> },
              { key: 'filter', title: t('fields.filter'), render: (row: Variable) => <Code>{row.filter}</Code> },
              { key: 'type', title: t('fields.type'), render: (row: Variable) => t(`forms.monitoring-templates.type_${row.type}`) },
              {
                key: 'expression',
                title: t('monitoring.transform'),
                render: (row: Variable) => String(row.transform?.['expression'] ?? ''),
              },
              { key: 'metric', title: t('monitoring.metric'), render: (row: Variable) => <Code>{metrics.get(row.id) ?? ''}</Code> },
            ]}
          />
        </div>
      </Card>
      {canEdit ? <TryCard template={template} onAdded={() => void refetch()} /> : null}
    </div>
  );
}
