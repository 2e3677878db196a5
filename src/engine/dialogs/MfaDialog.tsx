import { useState } from 'react';
import { api, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { hasPasskeys, isGivenUp, signWithPasskey } from '../../kernel/passkeys.ts';
import { Button, DialogAside, TextField } from '../../ui/index.ts';
import { EntryDialog } from './EntryDialog.tsx';
import type { MfaChallenge, TryEntry } from '../../kernel/http/index.ts';
import type { DialogHandle } from './registry.ts';

export interface MfaProps {
  challenge: MfaChallenge;
  tryCode: TryEntry;
}

/** Asks for the second factor of a call that is under way; stays open while the code is wrong. */
export default function MfaDialog({ dialog, challenge, tryCode }: MfaProps & { dialog: DialogHandle<true> }) {
  const t = useT();
  return (
    <EntryDialog
      dialog={dialog}
      title={t('mfa.title')}
      label={t(challenge.method === 'passkey' ? 'mfa.recovery_code' : 'mfa.code')}
      missing={t('mfa.code_missing')}
      tryEntry={tryCode}
      intro={
        <>
          <p>{t(`mfa.${challenge.method}`)}</p>
          {challenge.method === 'provider' && isWebAddress(challenge.providerUrl) ? (
            <p>
              <a href={challenge.providerUrl} target="_blank" rel="noopener noreferrer">
                {t('mfa.provider_link')}
              </a>
            </p>
          ) : null}
        </>
      }
      renderOtherWay={({ tryIt, refuse }) =>
        challenge.passkey && hasPasskeys() ? <PasskeyButton passkey={challenge.passkey} onSigned={tryIt} onFailed={refuse} /> : null
      }
      renderInput={(control, value, onChange) => (
        <TextField
          {...control}
          value={value}
          inputMode={challenge.method === 'totp' ? 'numeric' : undefined}
          autoComplete="one-time-code"
          hasAutofocus={challenge.method !== 'passkey'}
          maxLength={200}
          onChange={onChange}
        />
      )}
    >
      {challenge.method === 'email' ? <Resend challenge={challenge} /> : null}
    </EntryDialog>
  );
}

/** Answers the challenge with a passkey. */
function PasskeyButton({
  passkey,
  onSigned,
  onFailed,
}: {
  passkey: NonNullable<MfaChallenge['passkey']>;
  onSigned(response: string): Promise<void>;
  onFailed(message: string): void;
}) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  async function handleClick(): Promise<void> {
    setBusy(true);
    try {
      const allowCredentials = passkey.ids.map((id) => ({ id, type: 'public-key' as const }));
      await onSigned(await signWithPasskey({ challenge: passkey.challenge, allowCredentials, userVerification: 'preferred' }));
    } catch (error) {
      if (!isGivenUp(error)) onFailed(t('mfa.passkey_failed'));
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button icon="key-round" isBusy={isBusy} data-autofocus onClick={() => void handleClick()}>
      {t('mfa.use_passkey')}
    </Button>
  );
}

/** A new code by e-mail; what became of it is said beside the button. */
function Resend({ challenge }: { challenge: MfaChallenge }) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState('');

  async function handleClick(): Promise<void> {
    setBusy(true);
    setNotice('');
    try {
      await api.post('/mfa/resend', { session_id: challenge.sessionId, session_uuid: challenge.sessionUuid });
      setNotice(t('mfa.resent'));
    } catch (error) {
      setNotice(failureMessage(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <DialogAside>
      <Button variant="link" isBusy={isBusy} onClick={() => void handleClick()}>
        {t('mfa.resend')}
      </Button>
      <span role="status">{notice}</span>
    </DialogAside>
  );
}

// The address comes from a server, and a link must lead to a page.
function isWebAddress(address: string | undefined): address is string {
  return address !== undefined && /^https?:\/\//i.test(address);
}
