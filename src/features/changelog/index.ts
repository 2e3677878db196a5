import type { Room } from '../../engine/rooms/room.ts';

/** What is new in the console. */
export const room: Room = { pages: [{ path: '/changelog', load: () => import('./ChangelogPage.tsx') }] };
