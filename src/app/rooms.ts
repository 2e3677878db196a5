import type { ComponentType } from 'react';
import type { Room, RoomPage, ShowPage } from '../engine/rooms/room.ts';

const rooms: Room[] = Object.values(import.meta.glob<Room>('../features/*/index.ts', { eager: true, import: 'room' }));

let isRegistered = false;

/** Lets every room name its cells, strips, code actions and dialogs; once, before anything is drawn. */
export function registerRooms(): void {
  if (isRegistered) return;
  isRegistered = true;
  for (const room of rooms) room.register?.();
  if (import.meta.env.MODE === 'development')
    void import('../engine/resources/check.ts').then((check) => check.reportRegistrationProblems());
}

/** The loader of a resource's single-record page, or `undefined` when no room has one. */
export function findShowPage(resource: string): (() => Promise<{ default: ShowPage }>) | undefined {
  return rooms.find((room) => room.showPages?.[resource])?.showPages?.[resource];
}

/** The loader of the page that an address opens in a window of its own; the longest path that it contains counts. */
export function findConnectPage(pathname: string): (() => Promise<{ default: ComponentType }>) | undefined {
  const pages = rooms.flatMap((room) => room.connectPages ?? []).filter(({ path }) => pathname.includes(path));
  return pages.toSorted((a, b) => b.path.length - a.path.length)[0]?.load;
}

/** Every page that a room draws by itself. */
export function roomPages(): RoomPage[] {
  return rooms.flatMap((room) => room.pages ?? []);
}
