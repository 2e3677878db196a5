import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Company } from '../../../schemas/_generated/contract.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card, ExactTime } from '../../ui/index.ts';
import styles from './companies.module.css';

/** What a company is, in words and numbers that lead to their lists. */
export function CompanyInfo({ company }: { company: Company }) {
  const t = useT();
  const can = useCan();
  const count = (to: string, value: number, permission: string): ReactNode =>
    can(permission) ? <Link to={`/companies/${company.id}/${to}`}>{formatNumber(value)}</Link> : formatNumber(value);
  const facts: [string, ReactNode][] = [
    ['parent_name', company.parent_id === null ? t('companies.info.independent') : (company.parent_name ?? t('companies.info.none'))],
    ['level', company.level],
    ['email', company.email ?? t('companies.info.none')],
    ['devices_count', count('devices', company.devices_count, 'view_devices')],
    ...(company.devices_below === undefined || company.devices_below <= company.devices_count
      ? []
      : ([['devices_below', count('devices', company.devices_below, 'view_devices')]] as [string, ReactNode][])),
    ['users_count', count('users', company.users_count, 'view_users')],
    ...(company.credits_left === undefined ? [] : ([['credits_left', formatNumber(company.credits_left)]] as [string, ReactNode][])),
    ...(company.packs_left === undefined ? [] : ([['packs_left', formatNumber(company.packs_left)]] as [string, ReactNode][])),
    ['created_at', <ExactTime key="created" time={company.created_at} />],
    ['updated_at', <ExactTime key="updated" time={company.updated_at} />],
  ];
  return (
    <Card title={t('companies.tabs.info')}>
      <dl className={styles.facts}>
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`fields.${key}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
