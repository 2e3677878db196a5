import type { Room } from '../../engine/rooms/room.ts';

/** What is the user's own: settings. Signing in stands outside the console and is opened by the start-up. */
export const room: Room = {
  pages: [{ path: '/account/settings', load: async () => ({ default: (await import('./SettingsPage.tsx')).SettingsPage }) }],
};
