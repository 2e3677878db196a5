import { useEffect, useState } from 'react';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import styles from '../../ui/PublicSheet.module.css';

const goHome = (): void => location.assign('/');

/** Where the identity provider sends people back to; what it sent is handed to the server, which signs in by it. */
export default function ExternalPage({ onSignedIn = goHome }: { onSignedIn?(): void }) {
  const t = useT();
  const [query] = useState(() => location.search);
  const [problem, setProblem] = useState<string>();
  useWindowTitle(t('signIn.title'));
  useEffect(() => {
    // What is in the address works once.
    if (location.search !== '') history.replaceState(null, '', location.pathname);
  }, []);
  useEffect(() => {
    const finish = async (): Promise<void> => {
      try {
        await api.post('/account/external', { query });
        onSignedIn();
      } catch (error) {
        setProblem(isCancelled(error) ? t('signIn.failed') : failureMessage(error, { fallback: t('signIn.failed') }));
      }
    };
    void finish();
  }, [query, onSignedIn, t]);
  return (
    <div className={styles.sheet}>
      <h1>{t('signIn.title')}</h1>
      {problem ? <Banner kind="bad">{problem}</Banner> : <Spinner label={t('signIn.title')} />}
      <a className={styles.aside} href="/login">
        {t('account.toSignIn')}
      </a>
    </div>
  );
}
