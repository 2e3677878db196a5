import { useState } from 'react';
import { api, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { PublicPanel } from './PublicPanel.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Where the link to a new address leads. It asks for a click: programs that open the links of mails change nothing. */
export default function ConfirmEmailPage() {
  const t = useT();
  const token = useLinkToken();
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const handleSubmit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await api.post('/account/email/confirm', { token });
      setDone(t('account.confirmEmail.done'));
    } catch (error) {
      setProblem(failureMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <PublicPanel
      title={t('account.confirmEmail.title')}
      text={t('account.confirmEmail.text')}
      problem={problem}
      done={done}
      submit={t('account.confirmEmail.submit')}
      isBusy={isBusy}
      onSubmit={() => void handleSubmit()}
    />
  );
}
