import { registerStrip } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';

/** Figures and logs of the installation. */
export const room: Room = {
  register() {
    registerStrip('statistics-pages', 36, async () => (await import('./StatisticsPages.tsx')).StatisticsPages);
  },
};
