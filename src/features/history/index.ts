import { registerResultView } from '../../engine/form/result-views.ts';
import { registerCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** Who changed what. */
export const room: Room = {
  register() {
    registerCell(
      'history-change',
      withTexts(['history', 'permissions'], async () => (await import('./history-cells.tsx')).HistoryChangeCell),
    );
    registerCell(
      'history-user',
      withTexts(['history', 'permissions'], async () => (await import('./history-cells.tsx')).HistoryUserCell),
    );
    registerCodeAction('history.export', async () => (await import('./export-history.ts')).exportHistory);
    registerCodeAction(
      'history.show',
      withTexts(['history', 'permissions'], async () => (await import('./show-change.ts')).showChange),
    );
    registerResultView(
      'history/undo-all',
      withTexts(['errors', 'history'], () => import('./UndoneView.tsx')),
    );
  },
};
