import { closeAllDialogs } from '../../engine/dialogs/index.ts';
import { forgetDrafts } from '../../engine/form/drafts.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { cancelImpersonation, revokeSession, type CurrentUser } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

/** Ends the session, or the impersonation, and leaves for the page that follows; a failure is shown in a toast. */
export async function signOut({ act }: Pick<CurrentUser, 'act'>): Promise<void> {
  try {
    await (act ? cancelImpersonation() : revokeSession());
    closeAllDialogs();
    forgetDrafts();
    location.assign(act ? '/' : '/login');
  } catch (error) {
    toasts.error(failureMessage(error, { fallback: translate('account.signOutFailed') }));
  }
}
