import { useEffect, useState } from 'react';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import { Banner, CopyField, PublicSheet, SheetLink, Spinner } from '../../ui/index.ts';

const goHome = (): void => location.assign('/');

/**
 * The way to the identity provider and back. `?confirm=` leads there for a call that waits in another window; what the provider sends people back
 * with is handed to the server, which signs in by it, or answers with the code for that call.
 */
export default function ExternalPage({ onSignedIn = goHome }: { onSignedIn?(): void }) {
  const t = useT();
  const [query] = useState(() => location.search);
  const [problem, setProblem] = useState<string>();
  const [code, setCode] = useState<string>();
  useWindowTitle(t('signIn.title'));
  useEffect(() => {
    // What is in the address works once.
    if (location.search !== '') history.replaceState(null, '', location.pathname);
  }, []);
  useEffect(() => {
    const finish = async (): Promise<void> => {
      try {
        const waiting = new URLSearchParams(query).get('confirm');
        if (waiting !== null) {
          location.replace((await api.post<{ url: string }>('/account/external/confirm', { session_id: waiting })).data.url);
          return;
        }
        const { data } = await api.post<{ code?: string }>('/account/external', { query });
        if (data.code === undefined) onSignedIn();
        else setCode(data.code);
      } catch (error) {
        setProblem(isCancelled(error) ? t('signIn.failed') : failureMessage(error, { fallback: t('signIn.failed') }));
      }
    };
    void finish();
  }, [query, onSignedIn, t]);
  if (code !== undefined)
    return (
      <PublicSheet>
        <h1>{t('signIn.confirmed')}</h1>
        <p>{t('signIn.enterCode')}</p>
        <CopyField label={t('mfa.code')} value={code} />
      </PublicSheet>
    );
  return (
    <PublicSheet>
      <h1>{t('signIn.title')}</h1>
      {problem ? <Banner kind="bad">{problem}</Banner> : <Spinner label={t('signIn.title')} />}
      <SheetLink href="/login">{t('account.toSignIn')}</SheetLink>
    </PublicSheet>
  );
}
