import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The single settings of devices, of one or of many at once. */
export const room: Room = {
  pages: [
    {
      path: '/device-configuration',
      permission: 'create_multi_configuration',
      menu: { group: 'management', order: 55, icon: 'settings', label: 'actions.devices.configure' },
      load: withTexts(['configurator', 'errors', 'form'], async () => ({
        default: (await import('./ConfiguratorPage.tsx')).ConfiguratorPage,
      })),
    },
  ],
};
