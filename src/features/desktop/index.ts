import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** Desktops in the browser. */
export const room: Room = {
  connectPages: [
    { path: 'rms-connect/desktop', load: withTexts(['errors', 'form', 'remote', 'desktop'], () => import('./DesktopPage.tsx')) },
    { path: 'rms-connect/replay-desktop', load: withTexts(['errors', 'form', 'remote'], () => import('./ReplayPage.tsx')) },
  ],
};
