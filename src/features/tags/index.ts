import { defineCell } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { TagCell } from './TagCell.tsx';

/** The tags. */
export const room: Room = {
  register() {
    defineCell('tag', TagCell);
  },
  showPages: { tags: () => import('./TagPage.tsx') },
};
