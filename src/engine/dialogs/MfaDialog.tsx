import { useId, useState } from 'react';
import { api, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import styles from '../../ui/dialog/dialog.module.css';
import { Button } from '../../ui/Button.tsx';
import { FieldFrame } from '../../ui/fields/FieldFrame.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { DialogWindow } from './DialogWindow.tsx';
import { useEntry } from './use-entry.ts';
import type { MfaChallenge, TryEntry } from '../../kernel/http/index.ts';
import type { DialogHandle } from './registry.ts';

export interface MfaProps {
  challenge: MfaChallenge;
  tryCode: TryEntry;
}

/** Asks for the second factor of a call that is under way; stays open while the code is wrong. */
export default function MfaDialog({ dialog, challenge, tryCode }: MfaProps & { dialog: DialogHandle<true> }) {
  const t = useT();
  const id = useId();
  const entry = useEntry({ dialog, tryEntry: tryCode, missing: t('mfa.code_missing'), fieldId: `${id}-code` });
  return (
    <DialogWindow
      dialog={dialog}
      title={t('mfa.title')}
      size="small"
      footer={
        <>
          <Button onClick={dialog.requestClose}>{t('dialogs.cancel')}</Button>
          <Button type="submit" form={`${id}-form`} variant="primary" isBusy={entry.isBusy}>
            {t('dialogs.confirm')}
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={styles.text} onSubmit={entry.handleSubmit} noValidate>
        <p>{t(`mfa.${challenge.method}`)}</p>
        {challenge.method === 'provider' && isWebAddress(challenge.providerUrl) ? (
          <p>
            <a href={challenge.providerUrl} target="_blank" rel="noopener noreferrer">
              {t('mfa.provider_link')}
            </a>
          </p>
        ) : null}
        <FieldFrame id={`${id}-code`} label={t('mfa.code')} error={entry.error} isRequired>
          {(control) => (
            <TextField
              {...control}
              value={entry.value}
              inputMode={challenge.method === 'totp' ? 'numeric' : undefined}
              autoComplete="one-time-code"
              hasAutofocus
              maxLength={200}
              onChange={entry.setValue}
            />
          )}
        </FieldFrame>
        {challenge.method === 'email' ? <Resend challenge={challenge} /> : null}
      </form>
    </DialogWindow>
  );
}

/** A new code by e-mail; what became of it is said beside the button. */
function Resend({ challenge }: { challenge: MfaChallenge }) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState('');

  async function handleClick(): Promise<void> {
    setBusy(true);
    setTold('');
    try {
      await api.post('/mfa/resend', { session_id: challenge.sessionId, session_uuid: challenge.sessionUuid });
      setTold(t('mfa.resent'));
    } catch (error) {
      setTold(failureMessage(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className={styles.aside}>
      <Button variant="link" isBusy={isBusy} onClick={() => void handleClick()}>
        {t('mfa.resend')}
      </Button>
      <span role="status">{told}</span>
    </div>
  );
}

// The address comes from a server, and a link must lead to a page.
function isWebAddress(address: string | undefined): address is string {
  return address !== undefined && /^https?:\/\//i.test(address);
}
