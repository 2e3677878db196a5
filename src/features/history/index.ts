import { defineCell } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { HistoryActionCell } from './HistoryActionCell.tsx';

/** Who changed what. */
export const room: Room = {
  register() {
    defineCell('history-action', HistoryActionCell);
  },
};
