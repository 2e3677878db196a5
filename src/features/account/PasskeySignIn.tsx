import { useState } from 'react';
import { ApiError, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { hasPasskeys, isGivenUp } from '../../kernel/passkeys.ts';
import { signInByPasskey } from '../../kernel/session/index.ts';
import { Button } from '../../ui/index.ts';

/** Signing in with a passkey alone; nothing where the browser has none. */
export function PasskeySignIn({ onSignedIn, onRefused }: { onSignedIn(): void; onRefused(text: string): void }) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const handleClick = async () => {
    setBusy(true);
    try {
      await signInByPasskey();
      onSignedIn();
    } catch (error) {
      setBusy(false);
      if (!isGivenUp(error)) onRefused(error instanceof ApiError ? failureMessage(error) : t('account.passkeys.failed'));
    }
  };
  if (!hasPasskeys()) return null;
  return (
    <Button icon="key-round" isWide isBusy={isBusy} onClick={() => void handleClick()}>
      {t('signIn.passkey')}
    </Button>
  );
}
