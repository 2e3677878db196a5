import { useEffect, useState } from 'react';
import { api, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { signIn } from '../../kernel/session/index.ts';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import { usePlainForm } from '../../kernel/use-plain-form.ts';
import { Banner, Button, FieldFrame, PasswordInput, PublicSheet, SheetLead, TextInput } from '../../ui/index.ts';

interface Invitation {
  email: string;
  company_name: string;
  is_distributor: boolean;
}

const EMPTY = { company_name: '', first_name: '', last_name: '', password: '' };
type Name = keyof typeof EMPTY;

// The same limits as in schemas/forms/users/accept-invitation.form.json, which the server enforces.
const SHORTEST: Record<Name, number> = { company_name: 3, first_name: 1, last_name: 1, password: 10 };

const goHome = (): void => location.assign('/');

/** Where the link of an invitation leads: who invites, and what is needed to join. The token is after the `#` of the address. */
export function InvitationPage({ onDone = goHome }: { onDone?(): void }) {
  const t = useT();
  const [token] = useState(() => location.hash.slice(1));
  const [invitation, setInvitation] = useState<Invitation>();
  // The server does not say: that an address has an account is nobody's business but its owner's.
  const [hasAccount, setHasAccount] = useState(false);
  const { problems, formProblem, setFormProblem, isBusy, ref, handleSubmit, bind } = usePlainForm({
    start: () => EMPTY,
    check(data) {
      const short = wantedFields(invitation, hasAccount).filter(([name, shortest]) => lengthOf(name, data) < shortest);
      return Object.fromEntries(short.map(([name]) => [name, t('users.invitation.short', { count: SHORTEST[name] })]));
    },
    async send({ company_name, ...person }) {
      if (!invitation) return;
      const place = { token, ...(invitation.is_distributor ? { company_name: company_name.trim() } : {}) };
      if (hasAccount) {
        await signIn(invitation.email, person.password);
        await api.post('/invitations/join', place);
      } else {
        await api.post('/invitations/accept', { ...place, ...person });
      }
      onDone();
    },
  });

  useWindowTitle(t('users.invitation.title'));
  useEffect(() => {
    // The address with the token must not stay in the history.
    if (location.hash !== '') history.replaceState(null, '', location.pathname);
  }, []);
  useEffect(() => {
    const look = async (): Promise<void> => {
      try {
        setInvitation((await api.post<Invitation>('/invitations/look', { token })).data);
      } catch (error) {
        setFormProblem(failureMessage(error));
      }
    };
    void look();
  }, [token, setFormProblem]);

  return (
    <PublicSheet ref={ref} isWide onSubmit={handleSubmit}>
      <h1>{t('users.invitation.title')}</h1>
      {formProblem ? <Banner kind="bad">{formProblem}</Banner> : null}
      {invitation ? (
        <>
          <SheetLead>
            {t(invitation.is_distributor ? 'users.invitation.below' : 'users.invitation.into', {
              company: invitation.company_name,
              email: invitation.email,
            })}
          </SheetLead>
          {invitation.is_distributor ? (
            <FieldFrame label={t('users.invitation.company')} error={problems.company_name}>
              {(control) => <TextInput {...control} {...bind('company_name')} autoComplete="organization" maxLength={200} />}
            </FieldFrame>
          ) : null}
          {hasAccount ? (
            <p>{t('users.invitation.hasAccount')}</p>
          ) : (
            <>
              <FieldFrame label={t('setUp.firstName')} error={problems.first_name}>
                {(control) => <TextInput {...control} {...bind('first_name')} autoComplete="given-name" maxLength={100} />}
              </FieldFrame>
              <FieldFrame label={t('setUp.lastName')} error={problems.last_name}>
                {(control) => <TextInput {...control} {...bind('last_name')} autoComplete="family-name" maxLength={100} />}
              </FieldFrame>
            </>
          )}
          <FieldFrame label={t('signIn.password')} hint={hasAccount ? undefined : t('setUp.passwordHint')} error={problems.password}>
            {(control) => (
              <PasswordInput
                {...control}
                {...bind('password')}
                autoComplete={hasAccount ? 'current-password' : 'new-password'}
                maxLength={200}
              />
            )}
          </FieldFrame>
          <Button type="submit" variant="primary" isWide isBusy={isBusy}>
            {t('users.invitation.join')}
          </Button>
          <Button variant="link" isWide onClick={() => setHasAccount(!hasAccount)}>
            {t(hasAccount ? 'users.invitation.withoutAccount' : 'users.invitation.withAccount')}
          </Button>
        </>
      ) : null}
    </PublicSheet>
  );
}

/** The fields that joining takes, and how long each is at least; of a password that exists already, that there is one. */
function wantedFields(invitation: Invitation | undefined, hasAccount: boolean): [Name, number][] {
  const names: Name[] = [
    ...(invitation?.is_distributor ? (['company_name'] as const) : []),
    ...(hasAccount ? [] : (['first_name', 'last_name'] as const)),
    'password',
  ];
  return names.map((name) => [name, name === 'password' && hasAccount ? 1 : SHORTEST[name]]);
}

function lengthOf(name: Name, data: Record<Name, string>): number {
  return (name === 'password' ? data[name] : data[name].trim()).length;
}
