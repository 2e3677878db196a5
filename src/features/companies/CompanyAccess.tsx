import { useCustom } from '@refinedev/core';
import { Link } from 'react-router';
import { openForm } from '../../engine/form/open-form.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Card, ErrorState, Skeleton } from '../../ui/index.ts';
import styles from './companies.module.css';

interface Rules {
  rules_of: 'own' | 'above' | 'nobody';
  /** The company above whose rules these are, for those who see it. */
  giver: { id: number; name: string } | null;
  /** Whether there is a company above, also one that the reader does not see. */
  has_above: boolean;
  records_terminals: boolean;
  records_desktops: boolean;
  asks_consent: boolean;
  idle_minutes: number;
}

/** What holds for remote access to devices of a company, and where that comes from. */
export function CompanyAccess({ companyId }: { companyId: number }) {
  const t = useT();
  const { query } = useCustom<Rules, ApiError>({ url: `/companies/${companyId}/remote-access`, method: 'get', errorNotification: false });
  const { error, refetch } = query;
  const rules = query.data?.data;
  async function open(form: string): Promise<void> {
    if (await openForm(form, { record: { id: companyId } })) await refetch();
  }
  return (
    <Card title={t('companies.access.title')}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!rules && !error ? <Skeleton height={60} /> : null}
      {rules ? (
        <>
          <p>
            <Source rules={rules} />
          </p>
          <dl className={styles.facts}>
            <div>
              <dt>{t('companies.access.consent')}</dt>
              <dd>{t(rules.asks_consent ? 'companies.access.consent_on' : 'companies.access.consent_off')}</dd>
            </div>
            <div>
              <dt>{t('companies.access.records')}</dt>
              <dd>{t(rules.records_terminals ? 'companies.access.records_on' : 'companies.access.records_off')}</dd>
            </div>
            <div>
              <dt>{t('companies.access.records_desktops')}</dt>
              <dd>{t(rules.records_desktops ? 'companies.access.records_on' : 'companies.access.records_off')}</dd>
            </div>
            <div>
              <dt>{t('companies.access.idle')}</dt>
              <dd>{t('companies.access.idle_minutes', { count: rules.idle_minutes })}</dd>
            </div>
          </dl>
          <div className={styles.tools}>
            <Button icon="pencil" onClick={() => void open('remote-access/rules')}>
              {t('companies.access.change')}
            </Button>
            {rules.rules_of === 'own' && rules.has_above ? (
              <Button icon="undo-2" onClick={() => void open('remote-access/follow')}>
                {t('companies.access.follow')}
              </Button>
            ) : null}
          </div>
        </>
      ) : null}
    </Card>
  );
}

function Source({ rules: { rules_of, giver } }: { rules: Rules }) {
  const t = useT();
  if (rules_of !== 'above') return t(`companies.access.${rules_of}`);
  if (!giver) return t('companies.access.above_unseen');
  return (
    <>
      {t('companies.access.above')} <Link to={`/companies/${giver.id}/info`}>{giver.name}</Link>
    </>
  );
}
