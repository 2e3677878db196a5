import { lazy, Suspense, type ReactNode } from 'react';
import { useT, withTexts } from '../../kernel/i18n/index.ts';
import { forgetSessionFailures, revokeSession } from '../../kernel/session/index.ts';
import { Button, type IconName } from '../../ui/index.ts';
import type { StartFailure } from './decide-start.ts';
import { NoticePage } from './NoticePage.tsx';

type Kind = StartFailure['kind'];
type Notice = Exclude<Kind, 'sign-in' | 'terms-not-accepted'>;
const ICONS: Record<Notice, IconName> = {
  'email-not-verified': 'mail',
  'not-invited-external-user': 'user',
  'mfa-mandatory': 'shield',
  maintenance: 'wrench',
};

const SetUpSecondFactor = lazy(
  withTexts(['account', 'shell', 'entities', 'lists', 'table'], () => import('../../features/account/SetUpSecondFactor.tsx')),
);
const ResendConfirmation = lazy(withTexts(['account'], () => import('../../features/account/ResendConfirmation.tsx')));
const TermsScreen = lazy(withTexts(['account'], () => import('../../features/account/TermsScreen.tsx')));
const BODIES: Partial<Record<Notice, ReactNode>> = {
  'email-not-verified': <ResendConfirmation />,
  'mfa-mandatory': <SetUpSecondFactor />,
};

function signOut(): void {
  void revokeSession()
    .catch(() => undefined)
    .then(() => location.assign('/login'));
}

/** What is shown instead of the console when it cannot start, in words, with a way on. */
export function FailureScreen({ failure }: { failure: StartFailure }) {
  if (failure.kind === 'terms-not-accepted')
    return (
      <Suspense fallback={null}>
        <TermsScreen onSignOut={signOut} />
      </Suspense>
    );
  const reason = failure.kind === 'maintenance' ? failure.reason : undefined;
  return <Notice kind={failure.kind === 'sign-in' ? 'maintenance' : failure.kind} reason={reason} />;
}

function Notice({ kind, reason }: { kind: Notice; reason: 'timeout' | 'no-answer' | undefined }) {
  const t = useT();
  const handleRetry = () => {
    forgetSessionFailures();
    // The address of an external account's return works once.
    if (kind === 'not-invited-external-user') location.assign('/login');
    else location.reload();
  };
  return (
    <NoticePage
      icon={ICONS[kind]}
      title={t(`start.${kind}.title`)}
      text={t(`start.${kind}.text`)}
      detail={reason && t(`start.reason.${reason}`)}
      body={<Suspense fallback={null}>{BODIES[kind]}</Suspense>}
    >
      <Button variant="primary" icon="refresh-cw" onClick={handleRetry}>
        {kind === 'mfa-mandatory' ? t('start.goOn') : t('common.tryAgain')}
      </Button>
      {kind === 'maintenance' || kind === 'not-invited-external-user' ? null : <Button onClick={signOut}>{t('account.signOut')}</Button>}
    </NoticePage>
  );
}
