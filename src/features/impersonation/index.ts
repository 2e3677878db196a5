import { registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** Impersonation of users who have agreed. */
export const room: Room = {
  register() {
    registerCodeAction('impersonation.start', async () => (await import('./start-impersonation.ts')).startImpersonation);
  },
  pages: [{ path: '/users/confirm-impersonation-access', load: withTexts(['impersonation'], () => import('./ConfirmPage.tsx')) }],
};
