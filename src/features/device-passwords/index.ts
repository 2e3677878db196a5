import { registerResultView } from '../../engine/form/index.ts';
import { registerCell } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The passwords of devices: what a view of the vault shows, and the outcome of a file of passwords. */
export const room: Room = {
  register() {
    registerCell(
      'password-proof',
      withTexts(['device-passwords'], async () => (await import('./PasswordProofCell.tsx')).PasswordProofCell),
    );
    registerResultView(
      'device-passwords/show',
      withTexts(['account', 'device-passwords'], () => import('./ShownPasswordsView.tsx')),
    );
    registerResultView(
      'devices/passwords-csv',
      withTexts(['device-passwords'], () => import('./UploadedView.tsx')),
    );
  },
};
