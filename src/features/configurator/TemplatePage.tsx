import { useOne } from '@refinedev/core';
import { Link, Navigate, useParams } from 'react-router';
import type { ConfigurationTemplate } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { resources } from '../../engine/resources/all.ts';
import { deriveTabs } from '../../engine/resources/derive.ts';
import { resourceTitle } from '../../engine/table/labels.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import { isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { PageError, PageHeader, Skeleton, StatusMark, TabLinks } from '../../ui/index.ts';
import styles from './configurator.module.css';
import { TemplateContent } from './TemplateContent.tsx';
import { TemplateVersions } from './TemplateVersions.tsx';

const LIST = '/configuration-templates';
const OWN = new Set(['settings', 'versions']);

/** One configuration template: its settings, its versions, and the devices that follow it. */
export default function TemplatePage({ id }: { id: number }) {
  const t = useT();
  const asked = useParams()['*'] ?? '';
  const { data, error, refetch } = useOne<ConfigurationTemplate, ApiError>({
    resource: 'configuration-templates',
    id,
    errorNotification: false,
  }).query;
  const template = data?.data;
  const lists = deriveTabs(resources, 'configuration-templates', useCan());
  const list = lists.find(({ place }) => place.path === asked);
  if (!OWN.has(asked) && !list) return <Navigate to={`${LIST}/${id}/settings`} replace />;
  if (error && !isCancelled(error))
    return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.configuration_template')} />;
  if (!template) return <Skeleton width={260} height={28} />;
  const tabs = [
    { path: 'settings', label: t('configurator.settings') },
    ...lists.map(({ resource, place }) => ({ path: place.path, label: resourceTitle(resource) })),
    { path: 'versions', label: t('configurator.versions') },
  ];
  const { version, differs_count, devices_count, system } = template;
  return (
    <div className={list ? styles.listPage : undefined}>
      <PageHeader
        title={template.name}
        subtitle={
          <>
            {`${t(`values.configuration_template.system.${system}`)} · ${t('configurator.version', { version })} · ${t('configurator.chosen', { count: devices_count })} `}
            {differs_count > 0 ? <StatusMark kind="bad">{t('configurator.differing', { count: differs_count })}</StatusMark> : null}
          </>
        }
        breadcrumb={[
          <Link key="all" to={LIST}>
            {t('resources.configuration-templates.title')}
          </Link>,
        ]}
        actions={<PageActions resource="configuration-templates" row={{ ...template }} onDone={() => void refetch()} />}
      />
      <TabLinks
        label={t('configurator.tabs')}
        tabs={tabs.map(({ path, label }) => ({ to: `${LIST}/${id}/${path}`, label, isCurrent: path === asked }))}
      />
      {list ? (
        <ResourceListPage key={list.place.path} resource={list.resource} within={{ key: list.place.filter, value: id }} />
      ) : asked === 'versions' ? (
        <TemplateVersions key={template.revision} template={template} onChanged={() => void refetch()} />
      ) : (
        <TemplateContent key={template.revision} template={template} onSaved={() => void refetch()} />
      )}
    </div>
  );
}
