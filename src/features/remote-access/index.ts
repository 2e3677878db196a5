import { registerPrefill } from '../../engine/form/form-extensions.ts';
import { registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

const actions = {
  'remote-access.connect': 'connect',
  'remote-access.connectShared': 'connectShared',
  'remote-access.webPage': 'openWebPage',
  'remote-access.check': 'check',
  'remote-access.favour': 'favour',
  'remote-access.unfavour': 'unfavour',
  'remote-access.replay': 'replayRecording',
  'remote-access.recording': 'downloadRecording',
} as const;

/** Where services of a kind usually are. */
const PORTS = { http: 80, https: 443, ssh: 22, sftp: 22, telnet: 23, vnc: 5900, rdp: 3389 } as const;

/** Remote access: opening what entries name, and what else is done with one. */
export const room: Room = {
  register() {
    for (const [id, name] of Object.entries(actions))
      registerCodeAction(
        id,
        withTexts(['remote-access'], async () => (await import('./actions.ts'))[name]),
      );
    for (const form of ['remote-access/new', 'remote-access/edit'])
      registerPrefill(form, { field: 'protocol', values: { destination_port: PORTS } });
  },
  showPages: { 'remote-access': withTexts(['errors', 'remote-access'], () => import('./AccessPage.tsx')) },
  connectPages: [
    { path: 'rms-connect/web', load: withTexts(['errors', 'form', 'remote', 'remote-access'], () => import('./WebPage.tsx')) },
  ],
};
