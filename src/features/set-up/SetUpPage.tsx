import { useEffect, useState } from 'react';
import { api } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import { usePlainForm } from '../../kernel/use-plain-form.ts';
import { Banner, Button, FieldFrame, PasswordInput, PublicSheet, SheetLead, TextInput } from '../../ui/index.ts';
import { checkSetUp, EMPTY_SET_UP, type SetUpData } from './check-set-up.ts';
import styles from './SetUpPage.module.css';

interface SetUpPageProps {
  /** Goes on into the console; the tests watch it. */
  onDone?(): void;
}

const goHome = (): void => location.assign('/home');

/** The first run: the one-time token, the top company and its administrator. It draws itself, without the form engine, to be light. */
export function SetUpPage({ onDone = goHome }: SetUpPageProps) {
  const t = useT();
  // The printed address brings the token: it is asked for only without one, or when the server refuses it.
  const [hasToken] = useState(() => startData().token !== '');
  const { problems, formProblem, isBusy, ref, handleSubmit, bind } = usePlainForm({
    start: startData,
    check: (data) => checkSetUp(data, t),
    send: async (data) => {
      await api.post('/set-up', { ...data, email: data.email.trim() });
      onDone();
    },
    fallback: t('setUp.failed'),
  });

  useWindowTitle(t('setUp.title'));

  useEffect(() => {
    // The address with the token must not stay in the history or be sent on.
    if (location.search !== '') history.replaceState(null, '', location.pathname);
  }, []);

  return (
    <PublicSheet ref={ref} isWide onSubmit={handleSubmit}>
      <div>
        <h1>{t('setUp.title')}</h1>
        <SheetLead>{t('setUp.lead')}</SheetLead>
      </div>
      {formProblem ? <Banner kind="bad">{formProblem}</Banner> : null}
      {hasToken && problems.token === undefined ? null : (
        <FieldFrame label={t('setUp.token')} hint={t('setUp.tokenHint')} error={problems.token}>
          {(control) => (
            <TextInput
              {...control}
              {...bind('token')}
              className={styles.code}
              maxLength={200}
              spellCheck={false}
              autoCapitalize="characters"
              autoFocus={!hasToken}
            />
          )}
        </FieldFrame>
      )}
      <FieldFrame label={t('setUp.company')} hint={t('setUp.companyHint')} error={problems.company_name}>
        {(control) => <TextInput {...control} {...bind('company_name')} autoComplete="organization" maxLength={200} autoFocus={hasToken} />}
      </FieldFrame>
      <fieldset className={styles.group}>
        <legend>{t('setUp.administrator')}</legend>
        <div className={styles.pair}>
          <FieldFrame label={t('setUp.firstName')} error={problems.first_name}>
            {(control) => <TextInput {...control} {...bind('first_name')} autoComplete="given-name" maxLength={100} />}
          </FieldFrame>
          <FieldFrame label={t('setUp.lastName')} error={problems.last_name}>
            {(control) => <TextInput {...control} {...bind('last_name')} autoComplete="family-name" maxLength={100} />}
          </FieldFrame>
        </div>
        <FieldFrame label={t('signIn.email')} error={problems.email}>
          {(control) => (
            <TextInput {...control} {...bind('email')} type="email" autoComplete="username" autoCapitalize="none" maxLength={254} />
          )}
        </FieldFrame>
        <FieldFrame label={t('signIn.password')} hint={t('setUp.passwordHint')} error={problems.password}>
          {(control) => <PasswordInput {...control} {...bind('password')} autoComplete="new-password" maxLength={200} />}
        </FieldFrame>
      </fieldset>
      <Button type="submit" variant="primary" isWide isBusy={isBusy}>
        {t('setUp.submit')}
      </Button>
    </PublicSheet>
  );
}

/** The address that the server prints carries the token. */
function startData(): SetUpData {
  return { ...EMPTY_SET_UP, token: new URLSearchParams(location.search).get('token') ?? '' };
}
