import { registerDialog } from '../../engine/dialogs/index.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { loadFormTexts, withTexts } from '../../kernel/i18n/index.ts';

const permission = 'manage_forms';

/** Forms that are added to an installation: their documentation, and the studio in which they are made. */
export const room: Room = {
  register() {
    registerDialog(
      'forms.imported',
      withTexts(['errors', 'form', 'forms'], () => import('./ImportedDialog.tsx')),
    );
    registerDialog(
      'forms.conflict',
      withTexts(['forms'], () => import('./ConflictDialog.tsx')),
    );
    registerDialog(
      'forms.deliveries',
      withTexts(['forms'], () => import('./DeliveriesDialog.tsx')),
    );
    registerDialog(
      'forms.versions',
      withTexts(['forms'], () => import('./VersionsDialog.tsx')),
    );
  },
  pages: [
    { path: '/forms/docs/:room/:name', load: withTexts(['form', 'forms', 'permissions'], () => import('./FormDocsPage.tsx')) },
    {
      path: '/forms',
      permission,
      menu: { group: 'system', order: 90, icon: 'file-pen', label: 'studio.title' },
      load: withTexts(['form', 'forms', 'permissions'], async () => {
        const [page] = await Promise.all([import('./StudioPage.tsx'), loadFormTexts()]);
        return page;
      }),
    },
    {
      path: '/forms/edit/:room/:name',
      permission,
      load: withTexts(['errors', 'form', 'forms', 'roles'], () => import('./FormEditorPage.tsx')),
    },
  ],
};
