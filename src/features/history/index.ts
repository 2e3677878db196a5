import { registerResultView } from '../../engine/form/result-views.ts';
import { defineCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { HistoryChangeCell, HistoryUserCell } from './history-cells.tsx';

/** Who changed what. */
export const room: Room = {
  register() {
    defineCell('history-change', HistoryChangeCell);
    defineCell('history-user', HistoryUserCell);
    registerCodeAction('history.export', async () => (await import('./export-history.ts')).exportHistory);
    registerCodeAction('history.show', async () => (await import('./show-change.ts')).showChange);
    registerResultView('history/undo-all', () => import('./UndoneView.tsx'));
  },
};
