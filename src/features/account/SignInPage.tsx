import { useRef, useState, type FormEvent } from 'react';
import { ApiError, api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import { safeContinuePath } from '../../kernel/location.ts';
import { signIn } from '../../kernel/session/index.ts';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { useSignInMethods } from './sign-in-methods.ts';
import { Banner, Button, FieldFrame, PasswordInput, PublicSheet, SheetLink, TextInput } from '../../ui/index.ts';

interface SignInPageProps {
  /** Goes on into the console; the tests watch it. */
  onSignedIn?(path: string): void;
}
interface Wrong {
  email?: string;
  password?: string;
  form?: string;
}

const goTo = (path: string): void => location.assign(path);

/** E-mail and password, and back to where one wanted to go. */
export function SignInPage({ onSignedIn = goTo }: SignInPageProps) {
  const t = useT();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<Wrong>({});
  const [isBusy, setBusy] = useState(false);
  const emailBox = useRef<HTMLInputElement>(null);
  const passwordBox = useRef<HTMLInputElement>(null);

  useWindowTitle(t('signIn.title'));

  const waysIn = useSignInMethods();
  const goOn = () => {
    const path = safeContinuePath(new URLSearchParams(location.search).get('continue_url'));
    onSignedIn(path === undefined ? '/' : path + location.hash);
  };
  const refuse = (next: Wrong) => {
    setWrong(next);
    (next.email ? emailBox : passwordBox).current?.focus();
  };
  const goToProvider = async () => {
    try {
      location.assign((await api.post<{ url: string }>('/account/external/begin')).data.url);
    } catch (error) {
      refuse({ form: signInMessage(error, t('signIn.failed')) });
    }
  };
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const missing: Wrong = {};
    if (email.trim() === '') missing.email = t('signIn.emailMissing');
    if (password === '') missing.password = t('signIn.passwordMissing');
    if (missing.email || missing.password) return refuse(missing);
    setBusy(true);
    setWrong({});
    try {
      await signIn(email.trim(), password);
      goOn();
    } catch (error) {
      setBusy(false);
      if (isCancelled(error)) return;
      refuse({ form: signInMessage(error, t('signIn.failed')) });
    }
  };

  return (
    <PublicSheet onSubmit={handleSubmit}>
      <h1>{t('signIn.title')}</h1>
      {wrong.form ? <Banner kind="bad">{wrong.form}</Banner> : null}
      <FieldFrame label={t('signIn.email')} error={wrong.email}>
        {(control) => (
          <TextInput
            {...control}
            ref={emailBox}
            type="email"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            maxLength={254}
            isInvalid={wrong.email !== undefined}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              setWrong({ ...wrong, email: undefined });
            }}
          />
        )}
      </FieldFrame>
      <FieldFrame label={t('signIn.password')} error={wrong.password}>
        {(control) => (
          <PasswordInput
            {...control}
            ref={passwordBox}
            name="password"
            autoComplete="current-password"
            maxLength={200}
            isInvalid={wrong.password !== undefined}
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              setWrong({ ...wrong, password: undefined });
            }}
          />
        )}
      </FieldFrame>
      <Button type="submit" variant="primary" isWide isBusy={isBusy}>
        {t('signIn.submit')}
      </Button>
      {waysIn?.passkey ? <PasskeySignIn onSignedIn={goOn} onRefused={(form) => setWrong({ form })} /> : null}
      {waysIn?.external ? (
        <Button isWide icon="user" onClick={() => void goToProvider()}>
          {t('signIn.external', { provider: waysIn.external })}
        </Button>
      ) : null}
      {waysIn?.forgotten_password ? <SheetLink href="/forgotten-password">{t('signIn.forgotten')}</SheetLink> : null}
    </PublicSheet>
  );
}

function signInMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError ? failureMessage(error, { fallback }) : fallback;
}
