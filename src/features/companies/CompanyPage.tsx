import { useOne } from '@refinedev/core';
import { Link, Navigate, useParams } from 'react-router';
import type { Company } from '../../../schemas/_generated/contract.ts';
import { appliesTo } from '../../engine/actions/applicability.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { resources } from '../../engine/resources/all.ts';
import { deriveTabs } from '../../engine/resources/derive.ts';
import { resourceTitle } from '../../engine/table/labels.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import { isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { hasText, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { PageError, PageHeader, Skeleton, TabLinks } from '../../ui/index.ts';
import { CompanyAccess } from './CompanyAccess.tsx';
import { CompanyInfo } from './CompanyInfo.tsx';
import { CompanyMetrics } from './CompanyMetrics.tsx';
import { groupOf, partsOf, placeOf } from './company-tabs.ts';
import styles from './companies.module.css';

const METRICS = 'metrics';
const INFO = 'info';
const OWN_PARTS = new Set([INFO, METRICS]);

/** The company of a page; the same read wherever it is asked for. */
const useCompany = (id: number) =>
  useOne<Company, ApiError>({ resource: 'companies', id, liveMode: 'auto', errorNotification: false }).query;

type Tab = ReturnType<typeof deriveTabs>[number];

/** One company: the lists of what belongs to it as tabs, each at its own address. */
export default function CompanyPage({ id }: { id: number }) {
  const asked = useParams()['*'] ?? '';
  const lists = deriveTabs(resources, 'companies', useCan());
  // @NOTE Before anything is asked for: going to another address cancels what the former one waits for.
  return isThere(asked, lists) ? <Parts id={id} asked={asked} all={lists} /> : <ToPlace id={id} asked={asked} lists={lists} />;
}

const isThere = (asked: string, lists: readonly Tab[]) => OWN_PARTS.has(asked) || lists.some(({ place }) => place.path === asked);

function ToPlace({ id, asked, lists }: { id: number; asked: string; lists: readonly Tab[] }) {
  const paths = lists.map(({ place }) => place.path);
  return <Navigate to={`/companies/${id}/${placeOf(asked, paths) ?? METRICS}`} replace />;
}

function Parts({ id, asked, all }: { id: number; asked: string; all: readonly Tab[] }) {
  const t = useT();
  const can = useCan();
  const { data, isPending, error, refetch } = useCompany(id);
  const company = data?.data;
  if (error && !isCancelled(error))
    return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.company')} />;
  const lists = all.filter(({ place }) => !company || appliesTo(place, { ...company }));
  if (!isThere(asked, lists)) return <ToPlace id={id} asked={asked} lists={lists} />;
  const places = lists.map(({ resource, place: { path, order } }) => {
    const key = `companies.tabs.${path}`;
    return { path, order, label: hasText(key) ? t(key) : resourceTitle(resource) };
  });
  const parts = [
    { path: INFO, order: 0, label: t('companies.tabs.info') },
    { path: METRICS, order: 1, label: t('companies.tabs.metrics') },
    ...places,
  ];
  const tabs = [...new Set(parts.map(({ path }) => groupOf(path)))]
    .flatMap((group) => {
      const [first] = partsOf(parts, group);
      const key = `companies.groups.${group}`;
      return first ? [{ ...first, group, label: hasText(key) ? t(key) : first.label }] : [];
    })
    .toSorted((a, b) => a.order - b.order);
  const beside = partsOf(parts, groupOf(asked));
  const list = lists.find(({ place }) => place.path === asked);
  return (
    <div className={list ? styles.listPage : undefined}>
      <Head id={id} />
      <TabLinks
        label={t('companies.tabs.label')}
        // Which tabs there are follows from the company.
        tabs={(isPending ? [] : tabs).map(({ group, path, label }) => ({
          to: `/companies/${id}/${path}`,
          label,
          isCurrent: group === groupOf(asked),
        }))}
      />
      {beside.length > 1 ? (
        <TabLinks
          label={t('companies.tabs.parts')}
          isWithinTab
          tabs={beside.map(({ path, label }) => ({
            to: `/companies/${id}/${path}`,
            label,
            isCurrent: path === asked || path === `resources/${asked}`,
          }))}
        />
      ) : null}
      {list ? (
        <ResourceListPage
          key={list.place.path}
          resource={list.resource}
          within={{ key: list.place.filter, value: id, fills: list.place.fills }}
        />
      ) : asked === METRICS ? (
        <CompanyMetrics id={id} />
      ) : company ? (
        <div className={styles.parts}>
          <CompanyInfo company={company} />
          {can('update_device_remote_access') ? <CompanyAccess companyId={id} /> : null}
        </div>
      ) : (
        <Skeleton height={200} />
      )}
    </div>
  );
}

/** The company's name, where it hangs, and what can be done with it. */
function Head({ id }: { id: number }) {
  const t = useT();
  const { data, refetch } = useCompany(id);
  const company = data?.data;
  if (!company) return <Skeleton width={260} height={28} />;
  return (
    <PageHeader
      title={company.name}
      subtitle={company.email ? <a href={`mailto:${company.email}`}>{company.email}</a> : undefined}
      breadcrumb={[
        <Link key="all" to="/companies">
          {t('resources.companies.title')}
        </Link>,
        ...(company.path ?? []).slice(0, -1).map((step) => (
          <Link key={step.id} to={`/companies/${step.id}`}>
            {step.name}
          </Link>
        )),
      ]}
      actions={<PageActions resource="companies" row={{ ...company }} onDone={() => void refetch()} />}
    />
  );
}
