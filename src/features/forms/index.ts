import { registerDialog } from '../../engine/dialogs/index.ts';
import type { Room } from '../../engine/rooms/room.ts';

const permission = 'manage_forms';

/** Forms that are added to an installation: their documentation, and the studio in which they are made. */
export const room: Room = {
  register() {
    registerDialog('forms.imported', () => import('./ImportedDialog.tsx'));
    registerDialog('forms.conflict', () => import('./ConflictDialog.tsx'));
    registerDialog('forms.deliveries', () => import('./DeliveriesDialog.tsx'));
    registerDialog('forms.versions', () => import('./VersionsDialog.tsx'));
  },
  pages: [
    { path: '/forms/docs/:room/:name', load: () => import('./FormDocsPage.tsx') },
    {
      path: '/forms',
      permission,
      menu: { group: 'system', order: 90, icon: 'file-pen', label: 'studio.title' },
      load: () => import('./StudioPage.tsx'),
    },
    { path: '/forms/edit/:room/:name', permission, load: () => import('./FormEditorPage.tsx') },
  ],
};
