import { registerResultView } from '../../engine/form/index.ts';
import { registerCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

const actions = {
  'vpn.enableHub': 'enableHub',
  'vpn.disableHub': 'disableHub',
  'vpn.enableClient': 'enableClient',
  'vpn.disableClient': 'disableClient',
  'vpn.sync': 'syncClient',
} as const;
const cells = {
  'vpn-run-state': 'RunStateCell',
  'vpn-clients': 'HubClientsCell',
  'vpn-expiry': 'ExpiryCell',
  'vpn-connected': 'ConnectedCell',
  'vpn-rule-end': 'RuleEndCell',
} as const;

/** The VPN hubs and quick connections: the page of one, the profile of a client, and turning hubs and clients on and off. */
export const room: Room = {
  register() {
    for (const [id, name] of Object.entries(actions))
      registerCodeAction(
        id,
        withTexts(['vpn'], async () => (await import('./toggles.ts'))[name]),
      );
    for (const [id, name] of Object.entries(cells))
      registerCell(
        id,
        withTexts(['vpn'], async () => (await import('./cells.tsx'))[name]),
      );
    registerResultView(
      'vpn/profile',
      withTexts(['vpn'], () => import('./ProfileResult.tsx')),
    );
  },
  showPages: {
    'vpn-hubs': withTexts(['charts', 'devices', 'vpn'], () => import('./VpnHubPage.tsx')),
    'vpn-quick-hubs': withTexts(['charts', 'devices', 'vpn'], () => import('./QuickHubPage.tsx')),
  },
};
