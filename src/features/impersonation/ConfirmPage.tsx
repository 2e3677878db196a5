import { useCustom, useCustomMutation } from '@refinedev/core';
import { useEffect, useState } from 'react';
import { failureMessage, isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { loadUser, markAuthenticated } from '../../kernel/session/index.ts';
import { Banner, Button, Card, FieldFrame, Select, PageHeader } from '../../ui/index.ts';
import styles from './ConfirmPage.module.css';

interface Asked {
  name: string;
  email: string;
  company_name: string;
  reason: string;
}

const HOURS = [1, 4, 8, 24, 72] as const;

/** Where the link of a request leads: who asks and why, and the consent. The token is after the `#` of the address. */
export default function ConfirmPage() {
  const t = useT();
  const [token] = useState(() => location.hash.slice(1));
  const [hours, setHours] = useState(1);
  const { query } = useCustom<Asked, ApiError>({
    url: '/user/impersonation-request',
    method: 'post',
    config: { payload: { token } },
    queryOptions: { staleTime: Infinity, gcTime: 0 },
    errorNotification: false,
  });
  const { mutate, mutation } = useCustomMutation<Record<string, never>, ApiError>();
  const asked = query.data?.data;
  const failure = query.error ?? mutation.error;
  const problem = failure && !isCancelled(failure) ? failureMessage(failure) : '';
  const state = mutation.isPending ? 'busy' : mutation.isSuccess ? 'done' : 'open';

  useEffect(() => {
    // The address with the token must not stay in the history.
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, []);

  const handleAgree = () =>
    mutate(
      { url: '/user/confirm-impersonation-access', method: 'post', values: { token, hours }, errorNotification: false },
      // The account menu shows until when.
      { onSuccess: () => void loadUser().then(markAuthenticated, () => undefined) },
    );
  return (
    <>
      <PageHeader title={t('impersonation.title')} />
      {problem ? <Banner kind="bad">{problem}</Banner> : null}
      {state === 'done' ? <Banner kind="good">{t('impersonation.agreed')}</Banner> : null}
      {asked && state !== 'done' ? (
        <Card title={asked.name}>
          <div className={styles.question}>
            <p>{t('impersonation.asks', { name: asked.name, email: asked.email, company: asked.company_name, reason: asked.reason })}</p>
            <p>{t('impersonation.what')}</p>
            <FieldFrame label={t('fields.hours')}>
              {(control) => (
                <Select
                  {...control}
                  value={hours}
                  choices={HOURS.map((value) => ({ value, label: t(`values.impersonation.hours.${value}`) }))}
                  onChange={setHours}
                />
              )}
            </FieldFrame>
            <Button variant="primary" isBusy={state === 'busy'} onClick={handleAgree}>
              {t('impersonation.agree')}
            </Button>
          </div>
        </Card>
      ) : null}
    </>
  );
}
