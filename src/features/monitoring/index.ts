import { registerFormPreview } from '../../engine/form/index.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The monitoring templates: the page of one, and the pages on which one is made and changed. */
export const room: Room = {
  register() {
    for (const form of ['monitoring-templates/new', 'monitoring-templates/edit'])
      registerFormPreview(
        form,
        withTexts(['monitoring', 'forms-monitoring-templates'], () => import('./TemplatePreview.tsx')),
      );
    registerFormPreview(
      'monitoring-templates/remove',
      withTexts(['monitoring'], () => import('./RemovePreview.tsx')),
    );
  },
  pages: ['/monitoring-templates/create', '/monitoring-templates/edit/:id'].map((path) => ({
    path,
    permission: 'update_monitoring',
    load: withTexts(['dialogs', 'errors', 'form'], () => import('./TemplateFormPage.tsx')),
  })),
  showPages: {
    'monitoring-templates': withTexts(['monitoring', 'forms-monitoring-templates'], () => import('./MonitoringTemplatePage.tsx')),
  },
};
