import { registerDialog } from '../../engine/dialogs/index.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

const load = withTexts(['errors', 'form', 'remote', 'terminal'], () => import('./TerminalPage.tsx'));

const loadReplay = withTexts(['errors', 'form', 'remote', 'terminal'], () => import('./ReplayPage.tsx'));

/** Terminals over SSH and Telnet. */
export const room: Room = {
  register() {
    registerDialog(
      'remote.key-values',
      withTexts(['dialogs', 'remote'], () => import('../../engine/remote/KeyValuesDialog.tsx')),
    );
    registerDialog(
      'remote.consent-wait',
      withTexts(['dialogs', 'remote'], () => import('../../engine/remote/ConsentWaitDialog.tsx')),
    );
  },
  connectPages: [
    { path: 'rms-connect/ssh', load },
    { path: 'rms-connect/telnet', load },
    { path: 'rms-connect/replay', load: loadReplay },
  ],
};
