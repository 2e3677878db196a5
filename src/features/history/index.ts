import { defineCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { HistoryActionCell, HistoryUserCell } from './HistoryActionCell.tsx';

/** Who changed what. */
export const room: Room = {
  register() {
    defineCell('history-action', HistoryActionCell);
    defineCell('history-user', HistoryUserCell);
    registerCodeAction('history.export', async () => (await import('./export-history.ts')).exportHistory);
  },
};
