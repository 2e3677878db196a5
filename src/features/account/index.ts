import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerResultView } from '../../engine/form/index.ts';
import type { Room } from '../../engine/rooms/room.ts';

/** What is the user's own: settings and access tokens. Signing in stands outside the console and is opened by the start-up. */
export const room: Room = {
  register() {
    registerDialog('account.timezone', () => import('./TimezoneDialog.tsx'));
    registerResultView('mfa/enrol', () => import('./EnrolView.tsx'));
    registerResultView('mfa/recovery-codes', () => import('./RecoveryCodesView.tsx'));
    registerResultView('access-tokens/new', () => import('./NewTokenView.tsx'));
    registerResultView('service-accounts/new-token', () => import('./NewTokenView.tsx'));
  },
  pages: [
    { path: '/account/settings', load: async () => ({ default: (await import('./SettingsPage.tsx')).SettingsPage }) },
    { path: '/logout', load: () => import('./SignOutPage.tsx') },
  ],
};
