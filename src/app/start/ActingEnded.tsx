import { useState } from 'react';
import { ApiError, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { cancelImpersonation } from '../../kernel/session/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import { NoticePage } from './NoticePage.tsx';

/** In place of the console of an impersonator, from the moment the impersonation is over; the way back leads to the own session, or to the sign-in page. */
export function ActingEnded({ name }: { name: string }) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const handleGoOn = async () => {
    setBusy(true);
    try {
      await cancelImpersonation();
      location.assign('/');
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return location.assign('/login');
      setBusy(false);
      setProblem(failureMessage(error));
    }
  };
  return (
    <NoticePage
      icon="user-x"
      title={t('impersonation.ended.title', { name })}
      text={t('impersonation.ended.text')}
      body={problem ? <Banner kind="bad">{problem}</Banner> : null}
    >
      <Button variant="primary" isBusy={isBusy} autoFocus onClick={() => void handleGoOn()}>
        {t('impersonation.cancel')}
      </Button>
    </NoticePage>
  );
}
