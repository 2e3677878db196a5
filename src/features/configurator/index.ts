import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerResultView } from '../../engine/form/result-views.ts';
import { registerCell } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The settings of devices, of one or of many at once, and the templates that devices follow. */
export const room: Room = {
  register() {
    registerDialog(
      'configurator.group',
      withTexts(['configurator', 'json'], () => import('./GroupDialog.tsx')),
    );
    registerCell(
      'drift',
      withTexts(['configurator'], async () => (await import('./DriftCell.tsx')).DriftCell),
    );
    registerResultView(
      'devices/api-description',
      withTexts(['configurator'], () => import('./DescriptionResult.tsx')),
    );
  },
  pages: [
    {
      path: '/device-configuration',
      permission: 'create_multi_configuration',
      menu: { group: 'maintenance', order: 55, icon: 'settings', label: 'actions.devices.configure' },
      load: withTexts(['configurator', 'errors', 'form', 'jobs'], async () => ({
        default: (await import('./ConfiguratorPage.tsx')).ConfiguratorPage,
      })),
    },
  ],
  showPages: {
    'change-sets': withTexts(['configurator', 'errors', 'form', 'history', 'jobs'], () => import('./ChangeSetPage.tsx')),
    'configuration-templates': withTexts(['configurator', 'errors', 'form'], () => import('./TemplatePage.tsx')),
  },
};
