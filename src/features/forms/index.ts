import type { Room } from '../../engine/rooms/room.ts';

/** Forms that are added to an installation. */
export const room: Room = {
  pages: [{ path: '/forms/docs/:room/:name', load: () => import('./FormDocsPage.tsx') }],
};
