import { useState } from 'react';
import { api, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button } from '../../ui/index.ts';

type Outcome = { kind: 'good' | 'bad'; text: string };

/** Sends the link that confirms the own address again, and says what became of it. */
export default function ResendConfirmation() {
  const t = useT();
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setBusy] = useState(false);
  const handleClick = async () => {
    setBusy(true);
    try {
      await api.post('/account/user/activation/resend');
      setOutcome({ kind: 'good', text: t('account.resend.done') });
    } catch (error) {
      setOutcome({ kind: 'bad', text: `${t('account.resend.failed')}: ${failureMessage(error)}` });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {outcome ? <Banner kind={outcome.kind}>{outcome.text}</Banner> : null}
      <Button icon="send" isBusy={isBusy} onClick={() => void handleClick()}>
        {t('account.resend.submit')}
      </Button>
    </>
  );
}
