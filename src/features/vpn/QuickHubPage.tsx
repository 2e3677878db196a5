import { HubPage } from './VpnHubPage.tsx';

/** One quick connection: its steps, clients, traffic and connections. */
export default function QuickHubPage({ id }: { id: number }) {
  return <HubPage resource="vpn-quick-hubs" id={id} />;
}
