import { registerDialog } from '../../engine/dialogs/index.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The files of a remote side. */
export const room: Room = {
  register() {
    registerDialog(
      'remote-files.permissions',
      withTexts(['files-remote', 'dialogs'], () => import('./PermissionsDialog.tsx')),
    );
    registerDialog(
      'remote-files.editor',
      withTexts(['files-remote', 'dialogs', 'remote'], () => import('./EditorDialog.tsx')),
    );
  },
  connectPages: [
    { path: 'rms-connect/sftp', load: withTexts(['dialogs', 'errors', 'form', 'remote', 'files-remote'], () => import('./FilesPage.tsx')) },
  ],
};
