import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

const load = withTexts(['help'], () => import('./HelpPage.tsx'));

/** The documentation of this version, where the help links of pages and windows lead. */
export const room: Room = {
  pages: [
    { path: '/help', load },
    { path: '/help/:guide', load },
  ],
};
