import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Company } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { HistoryPanel } from '../../engine/history/HistoryPanel.tsx';
import { api } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './companies.module.css';

const MAX_CHILDREN = 100;

/** One company: what belongs to it, what is below it, and what was done to it. */
export default function CompanyPage({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const {
    data: company,
    error,
    refetch,
  } = useQuery({ queryKey: ['companies', 'one', id], queryFn: async () => (await api.get<Company>(`/companies/${id}`)).data });
  const children = useQuery({
    queryKey: ['companies', 'children', id],
    queryFn: async () => (await api.get<Company[]>('/companies', { query: { parent_id: id, limit: MAX_CHILDREN, sort: 'name' } })).data,
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.company')} />;
  if (!company) return <Skeleton width={260} height={28} />;
  const reload = () => {
    void refetch();
    void children.refetch();
  };
  return (
    <div className={styles.page}>
      <PageHeader
        title={company.name}
        subtitle={
          company.parent_id !== null && company.parent_name ? (
            <>
              {t('companies.page.below')} <Link to={`/companies/${company.parent_id}`}>{company.parent_name}</Link>
            </>
          ) : undefined
        }
        breadcrumb={<Link to="/companies">{t('resources.companies.title')}</Link>}
        actions={<PageActions resource="companies" row={{ ...company }} onDone={reload} />}
      />
      <div className={styles.grid}>
        <div className={styles.column}>
          <Card title={t('companies.page.contents')}>
            <ul className={styles.links}>
              <li>
                <Link to={`/management/devices?company_id=${id}`}>
                  {t('resources.devices.title')} <strong>{formatNumber(company.devices_count)}</strong>
                </Link>
              </li>
              {can('view_users') ? (
                <li>
                  <Link to={`/users?company_id=${id}`}>
                    {t('resources.users.title')} <strong>{formatNumber(company.users_count)}</strong>
                  </Link>
                </li>
              ) : null}
              {can('view_tags') ? (
                <li>
                  <Link to={`/tags?company_id=${id}`}>{t('resources.tags.title')}</Link>
                </li>
              ) : null}
            </ul>
            <p className={styles.muted}>
              {t('fields.created_at')} <RelativeTime time={company.created_at} />
            </p>
          </Card>
          {children.data && children.data.length > 0 ? (
            <Card title={t('companies.page.children')}>
              <ul className={styles.links}>
                {children.data.map((child) => (
                  <li key={child.id}>
                    <Link to={`/companies/${child.id}`}>
                      {child.name} <strong>{formatNumber(child.devices_count)}</strong>
                    </Link>
                  </li>
                ))}
              </ul>
            </Card>
          ) : null}
        </div>
        <div className={styles.column}>{can('view_history') ? <HistoryPanel entity="company" entityId={id} /> : null}</div>
      </div>
    </div>
  );
}
