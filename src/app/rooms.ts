import type { Room, RoomPage, ShowPage } from '../engine/rooms/room.ts';

const rooms: Room[] = Object.values(import.meta.glob<Room>('../features/*/index.ts', { eager: true, import: 'room' }));

/** Lets every room name its cells, strips, code actions and dialogs; once, before anything is drawn. */
export function registerRooms(): void {
  for (const room of rooms) room.register?.();
  if (import.meta.env.MODE === 'development')
    void import('../engine/resources/check.ts').then((check) => check.reportRegistrationProblems());
}

/** The loader of a resource's single-record page, or `undefined` when no room has one. */
export function findShowPage(resource: string): (() => Promise<{ default: ShowPage }>) | undefined {
  return rooms.find((room) => room.showPages?.[resource])?.showPages?.[resource];
}

/** Every page that a room draws by itself. */
export function roomPages(): RoomPage[] {
  return rooms.flatMap((room) => room.pages ?? []);
}
