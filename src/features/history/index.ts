import { defineCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { HistoryActionCell } from './HistoryActionCell.tsx';

/** Who changed what. */
export const room: Room = {
  register() {
    defineCell('history-action', HistoryActionCell);
    registerCodeAction('history.export', async () => (await import('./export-history.ts')).exportHistory);
  },
};
