import { registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

const toggles = {
  'vpn.enableHub': 'enableHub',
  'vpn.disableHub': 'disableHub',
  'vpn.enableClient': 'enableClient',
  'vpn.disableClient': 'disableClient',
} as const;

/** The VPN hubs: the page of one, and turning hubs and clients on and off. */
export const room: Room = {
  register() {
    for (const [id, name] of Object.entries(toggles))
      registerCodeAction(
        id,
        withTexts(['vpn'], async () => (await import('./toggles.ts'))[name]),
      );
  },
  showPages: { 'vpn-hubs': withTexts(['devices', 'vpn'], () => import('./VpnHubPage.tsx')) },
};
