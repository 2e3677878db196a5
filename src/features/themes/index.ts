import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The theme of a top-level company: its name, logo, colours, and hidden features. */
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
