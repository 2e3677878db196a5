import { useT } from '../../kernel/i18n/index.ts';
import { forgetSessionFailures, revokeSession } from '../../kernel/session/index.ts';
import { Button } from '../../ui/Button.tsx';
import type { IconName } from '../../ui/Icon.tsx';
import type { StartFailure } from './decide-start.ts';
import { NoticePage } from './NoticePage.tsx';

type Notice = Exclude<StartFailure['kind'], 'sign-in'>;
const ICONS: Record<Notice, IconName> = {
  'email-not-verified': 'mail',
  'not-invited-external-user': 'user',
  'mfa-mandatory': 'shield',
  maintenance: 'wrench',
};

/** What is shown instead of the console when it cannot start, in words, with a way on. */
export function FailureScreen({ failure }: { failure: StartFailure }) {
  const t = useT();
  const kind = failure.kind === 'sign-in' ? 'maintenance' : failure.kind;
  const reason = failure.kind === 'maintenance' ? failure.reason : undefined;
  const handleRetry = () => {
    forgetSessionFailures();
    location.reload();
  };
  const handleSignOut = () => {
    void revokeSession()
      .catch(() => undefined)
      .then(() => location.assign('/login'));
  };
  return (
    <NoticePage
      icon={ICONS[kind]}
      title={t(`start.${kind}.title`)}
      text={t(`start.${kind}.text`)}
      detail={reason && t(`start.reason.${reason}`)}
    >
      <Button variant="primary" icon="refresh-cw" onClick={handleRetry}>
        {t('common.tryAgain')}
      </Button>
      {kind === 'maintenance' ? null : <Button onClick={handleSignOut}>{t('account.signOut')}</Button>}
    </NoticePage>
  );
}
