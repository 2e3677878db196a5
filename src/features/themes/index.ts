import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** How the console looks to a top-level company: its name, sign, colours, and what is not there. */
export const room: Room = {
  pages: [
    {
      path: '/branding',
      permission: 'update_themes',
      menu: { group: 'administration', order: 95, icon: 'palette', label: 'themes.title' },
      load: withTexts(['dialogs', 'errors', 'form', 'themes'], () => import('./BrandingPage.tsx')),
    },
  ],
};
