import { useEffect, useState } from 'react';
import { api, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { loadUser, markAuthenticated } from '../../kernel/session/index.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { FieldFrame } from '../../ui/fields/FieldFrame.tsx';
import { NativeSelect } from '../../ui/NativeSelect.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import styles from './ConfirmPage.module.css';

interface Asked {
  name: string;
  email: string;
  company_name: string;
  reason: string;
}

const HOURS = [1, 4, 8, 24, 72] as const;

/** Where the link of a request leads: who asks and why, and the consent. The token stands after the `#` of the address. */
export default function ConfirmPage() {
  const t = useT();
  const [token] = useState(() => location.hash.slice(1));
  const [asked, setAsked] = useState<Asked>();
  const [hours, setHours] = useState(1);
  const [problem, setProblem] = useState('');
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');

  useEffect(() => {
    // The address with the token must not stay in the history.
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
    const look = async (): Promise<void> => {
      try {
        setAsked((await api.post<Asked>('/user/impersonation-request', { token })).data);
      } catch (error) {
        setProblem(failureMessage(error));
      }
    };
    void look();
  }, [token]);

  const handleAgree = async () => {
    setState('busy');
    setProblem('');
    try {
      await api.post('/user/confirm-impersonation-access', { token, hours });
      setState('done');
      // The account menu shows until when.
      void loadUser().then(markAuthenticated, () => undefined);
    } catch (error) {
      setState('open');
      setProblem(failureMessage(error));
    }
  };
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
                <NativeSelect {...control} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
                  {HOURS.map((value) => (
                    <option key={value} value={value}>
                      {t(`values.impersonation.hours.${value}`)}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </FieldFrame>
            <Button variant="primary" isBusy={state === 'busy'} onClick={() => void handleAgree()}>
              {t('impersonation.agree')}
            </Button>
          </div>
        </Card>
      ) : null}
    </>
  );
}
