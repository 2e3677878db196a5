import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerResultView } from '../../engine/form/index.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** What is the user's own: settings and access tokens. Signing in is outside the console and is opened by the start-up. */
export const room: Room = {
  register() {
    registerDialog(
      'account.timezone',
      withTexts(['account'], () => import('./TimezoneDialog.tsx')),
    );
    registerResultView(
      'mfa/enrol',
      withTexts(['account'], () => import('./EnrolView.tsx')),
    );
    registerResultView(
      'mfa/recovery-codes',
      withTexts(['account'], () => import('./RecoveryCodesView.tsx')),
    );
    registerResultView(
      'access-tokens/new',
      withTexts(['account'], () => import('./NewTokenView.tsx')),
    );
    registerResultView(
      'service-accounts/new-token',
      withTexts(['account'], () => import('./NewTokenView.tsx')),
    );
    for (const form of ['applications/new', 'applications/new-secret'] as const)
      registerResultView(
        form,
        withTexts(['account'], () => import('./NewSecretView.tsx')),
      );
  },
  pages: [
    { path: '/account/authorize', load: withTexts(['account', 'permissions'], () => import('./AuthorizePage.tsx')) },
    {
      path: '/account/settings',
      load: withTexts(['account', 'forms-impersonation', 'impersonation'], async () => ({
        default: (await import('./SettingsPage.tsx')).SettingsPage,
      })),
    },
    { path: '/logout', load: () => import('./SignOutPage.tsx') },
  ],
};
