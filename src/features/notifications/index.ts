import { registerCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';

/** What happened, and what one wants to be told. The bell of the header is drawn by the shell. */
export const room: Room = {
  register() {
    registerCell('notification', async () => (await import('./cells.tsx')).NotificationCell);
    registerCell('notification-types', async () => (await import('./cells.tsx')).NotificationTypesCell);
    registerCell('rule-place', async () => (await import('./cells.tsx')).RulePlaceCell);
    registerCodeAction('notifications.markSeen', async () => (await import('./mark-seen.ts')).markChosen);
  },
};
