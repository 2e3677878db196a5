import { registerCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** Notifications and their settings. The bell of the header is drawn by the shell. */
export const room: Room = {
  register() {
    registerCell(
      'notification',
      withTexts(['notifications'], async () => (await import('./cells.tsx')).NotificationCell),
    );
    registerCell(
      'notification-types',
      withTexts(['notifications'], async () => (await import('./cells.tsx')).NotificationTypesCell),
    );
    registerCell(
      'rule-place',
      withTexts(['notifications'], async () => (await import('./cells.tsx')).RulePlaceCell),
    );
    registerCodeAction(
      'notifications.markSeen',
      withTexts(['notifications'], async () => (await import('./mark-seen.ts')).markChosen),
    );
  },
};
