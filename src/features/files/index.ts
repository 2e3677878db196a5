import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';

/** The files: looking into one, and fetching and deleting several. */
export const room: Room = {
  register() {
    registerDialog('files.preview', () => import('./PreviewDialog.tsx'));
    registerCodeAction('files.preview', async () => (await import('./file-actions.ts')).previewChosen);
    registerCodeAction('files.download', async () => (await import('./file-actions.ts')).downloadChosen);
    registerCodeAction('files.removeSeveral', async () => (await import('./file-actions.ts')).removeChosen);
  },
};
