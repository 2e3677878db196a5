import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The files: looking into one, and fetching and deleting several. */
export const room: Room = {
  register() {
    registerDialog(
      'files.preview',
      withTexts(['files'], () => import('./PreviewDialog.tsx')),
    );
    registerCodeAction(
      'files.preview',
      withTexts(['files'], async () => (await import('./file-actions.ts')).previewChosen),
    );
    registerDialog(
      'files.compare',
      withTexts(['files'], () => import('./CompareDialog.tsx')),
    );
    registerCodeAction(
      'files.compare',
      withTexts(['files'], async () => (await import('./file-actions.ts')).compareChosen),
    );
    registerCodeAction(
      'files.download',
      withTexts(['files'], async () => (await import('./file-actions.ts')).downloadChosen),
    );
    registerCodeAction(
      'files.removeSeveral',
      withTexts(['files'], async () => (await import('./file-actions.ts')).removeChosen),
    );
  },
};
