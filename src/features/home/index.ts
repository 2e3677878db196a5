import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** Where one begins: what needs somebody. */
export const room: Room = {
  pages: [
    {
      path: '/home',
      menu: { group: 'management', order: 0, icon: 'house', label: 'menu.home' },
      load: withTexts(['home', 'devices', 'jobs'], () => import('./HomePage.tsx')),
    },
  ],
};
