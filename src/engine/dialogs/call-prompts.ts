import { setPrompts } from '../../kernel/http/index.ts';
import { newDialogId, openDialog } from './dialogs.ts';
import { registerDialog } from './registry.ts';
import type { MfaProps } from './MfaDialog.tsx';
import type { PasswordConfirmationProps } from './PasswordConfirmation.tsx';
import { withTexts } from '../../kernel/i18n/index.ts';

declare module './registry.ts' {
  interface DialogTypes {
    mfa: { props: MfaProps; result: true };
    'password-confirmation': { props: PasswordConfirmationProps; result: true };
  }
}

/** From now on any call of the console may ask for a code or the password, in a window above whatever is open. */
export function installCallPrompts(): void {
  // A wrong entry is refused while the window is open.
  registerDialog(
    'mfa',
    withTexts(['dialogs', 'errors'], () => import('./MfaDialog.tsx')),
  );
  registerDialog(
    'password-confirmation',
    withTexts(['dialogs', 'errors'], () => import('./PasswordConfirmation.tsx')),
  );
  setPrompts({
    mfa: async (challenge, tryCode) => (await openDialog('mfa', { challenge, tryCode }, { id: newDialogId('mfa'), prompt: true })) === true,
    password: async (tryPassword) => (await openDialog('password-confirmation', { tryPassword }, { prompt: true })) === true,
  });
}
