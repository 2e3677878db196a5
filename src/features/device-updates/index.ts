import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

const permission = 'execute_device_updates';

/** Firmware and settings that are put on devices: the devices are chosen first, then what they get. */
export const room: Room = {
  pages: [
    {
      path: '/management/update-firmware',
      permission,
      menu: { group: 'maintenance', order: 52, icon: 'hard-drive-download', label: 'actions.devices.update-firmware' },
      load: withTexts(['forms-devices', 'updates'], async () => ({ default: (await import('./UpdatePages.tsx')).FirmwarePage })),
    },
    {
      path: '/management/upload-backup',
      permission,
      menu: { group: 'maintenance', order: 54, icon: 'rotate-ccw', label: 'actions.devices.upload-backup' },
      load: withTexts(['forms-devices', 'updates'], async () => ({ default: (await import('./UpdatePages.tsx')).BackupPage })),
    },
  ],
};
