import { registerCell } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';

/** Announcements of the system. The widget of the header is drawn by the shell. */
export const room: Room = {
  register() {
    registerCell('announcement-text', async () => (await import('./cells.tsx')).AnnouncementTextCell);
  },
};
