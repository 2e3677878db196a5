import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { api, ApiError, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useUser } from '../../kernel/session/index.ts';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import { Banner, Button, Card, Icon, Skeleton } from '../../ui/index.ts';
import styles from './AuthorizePage.module.css';

interface Consent {
  location: string | null;
  application: { name: string; description: string; company_name: string; redirect_host: string };
  scopes: { name: string; permissions: string[]; is_held: boolean }[];
}

/** What an application puts into the address; anything else it says is of no interest here. */
const ASKED = ['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'code_challenge_method'];

function readRequest(search: string): Record<string, string> {
  const given = new URLSearchParams(search);
  return Object.fromEntries(ASKED.flatMap((name) => (given.get(name) === null ? [] : [[name, given.get(name) ?? '']])));
}

/** What is wrong with a request that leads nowhere, by the part that the server names. */
const FAULTS = { client_id: 'account.authorize.unknownApplication', redirect_uri: 'account.authorize.unknownAddress' } as const;

/** Why there is nothing to allow. The application is not called back: its address cannot be trusted, so the person reads what to pass on. */
function Refused({ error, request }: { error: unknown; request: Record<string, string> }) {
  const t = useT();
  const [item] = error instanceof ApiError ? error.items : [];
  const key = Object.entries(FAULTS).find(([source]) => source === item?.source)?.[1];
  return (
    <Banner kind="bad" title={t('account.authorize.refused')}>
      {key ? t(key, { address: request['redirect_uri'] ?? '—', id: request['client_id'] ?? '—' }) : failureMessage(error)}
    </Banner>
  );
}

/** Where an application of others asks to act for the person who is signed in (OAuth 2): what it would be allowed, and yes or no. */
export default function AuthorizePage() {
  const t = useT();
  const user = useUser();
  const { search } = useLocation();
  const [consent, setConsent] = useState<Consent>();
  const [refusal, setRefusal] = useState<unknown>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState<'allow' | 'deny'>();
  useWindowTitle(t('account.authorize.window'));
  useEffect(() => {
    api.get<Consent>('/account/authorize', { query: readRequest(search) }).then(
      ({ data }) => (data.location === null ? setConsent(data) : location.assign(data.location)),
      (error: unknown) => setRefusal(error),
    );
  }, [search]);
  const decide = async (isAllowed: boolean) => {
    setBusy(isAllowed ? 'allow' : 'deny');
    setProblem(undefined);
    try {
      const { data } = await api.post<{ location: string }>('/account/authorize', { ...readRequest(search), is_allowed: isAllowed });
      location.assign(data.location);
    } catch (error) {
      setProblem(failureMessage(error));
      setBusy(undefined);
    }
  };
  if (!consent)
    return <div className={styles.page}>{refusal ? <Refused error={refusal} request={readRequest(search)} /> : <Skeleton />}</div>;
  const { application, scopes } = consent;
  return (
    <div className={styles.page}>
      <Card>
        <div className={styles.sheet}>
          <h1 className={styles.title}>{t('account.authorize.title', { name: application.name })}</h1>
          <p className={styles.lead}>{t('account.authorize.who', { user: user.email, company: user.company_name })}</p>
          {application.description ? <p>{application.description}</p> : null}
          <h2 className={styles.sub}>{t('account.authorize.scopes')}</h2>
          <ul className={styles.scopes}>
            {scopes.map(({ name, permissions, is_held }) => (
              <li key={name} data-held={is_held}>
                <Icon name={is_held ? 'check' : 'minus'} />
                <span>
                  <code>{name}</code>
                  <small>
                    {is_held ? permissions.map((permission) => t(`permissions.${permission}`)).join(', ') : t('account.authorize.notHeld')}
                  </small>
                </span>
              </li>
            ))}
          </ul>
          <p className={styles.note}>
            {t('account.authorize.note', { host: application.redirect_host, company: application.company_name })}
          </p>
          {problem ? <Banner kind="bad">{problem}</Banner> : null}
          <div className={styles.buttons}>
            <Button disabled={busy !== undefined} isBusy={busy === 'deny'} onClick={() => void decide(false)}>
              {t('account.authorize.deny')}
            </Button>
            <Button variant="primary" disabled={busy !== undefined} isBusy={busy === 'allow'} onClick={() => void decide(true)}>
              {t('account.authorize.allow')}
            </Button>
          </div>
        </div>
      </Card>
    </div>
  );
}
