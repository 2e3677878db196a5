import { isInside, type Network } from './addresses.ts';

/** Whether somebody reaches an address, and what decides. */
export interface VpnReach {
  reaches: boolean;
  reason: 'rule' | 'no_rule' | 'no_client' | 'hub_disabled' | 'from_disabled' | 'to_disabled';
  /** The client that has the address, or that the network with it is behind. */
  to_client_id: number | null;
  rule_id: number | null;
  route_id: number | null;
}

/** What decides who reaches whom in one hub. */
export interface Reachable {
  hub: Network & { enabled: boolean };
  /** `isActive`: enabled, and of a company that the hub is for. */
  clients: readonly { id: number; address: number; isActive: boolean }[];
  routes: readonly (Network & { id: number; vpn_client_id: number })[];
  rules: readonly { id: number; from_client_id: number; to_client_id: number }[];
}

const answer = (reason: VpnReach['reason'], found: Partial<VpnReach> = {}): VpnReach => ({
  reaches: reason === 'rule',
  reason,
  to_client_id: null,
  rule_id: null,
  route_id: null,
  ...found,
});

/** Whether a client reaches an address, and what decides. Nothing is reached without a rule. */
export function findReach({ hub, clients, routes, rules }: Reachable, fromId: number, address: number): VpnReach {
  const from = clients.find(({ id }) => id === fromId);
  const route = routes.find((network) => isInside(address, network));
  const to = clients.find((client) => (route ? client.id === route.vpn_client_id : client.address === address));
  if (!to) return answer('no_client');
  const found = { to_client_id: to.id, route_id: route?.id ?? null };
  if (!hub.enabled) return answer('hub_disabled', found);
  if (!from?.isActive) return answer('from_disabled', found);
  if (!to.isActive) return answer('to_disabled', found);
  const rule = rules.find((one) => one.from_client_id === fromId && one.to_client_id === to.id);
  return rule ? answer('rule', { ...found, rule_id: rule.id }) : answer('no_rule', found);
}

/** Pairs of an address and the networks that it reaches: what the hub's machine lets through, by the same rules as `findReach`. */
export function listReach({ hub, clients, routes, rules }: Reachable): { from: number; to: Network[] }[] {
  if (!hub.enabled) return [];
  const active = new Map(clients.flatMap((client) => (client.isActive ? [[client.id, client.address]] : [])));
  return rules.flatMap((rule) => {
    const [from, to] = [active.get(rule.from_client_id), active.get(rule.to_client_id)];
    if (from === undefined || to === undefined) return [];
    const behind = routes.flatMap(({ vpn_client_id, network, prefix }) =>
      vpn_client_id === rule.to_client_id ? [{ network, prefix }] : [],
    );
    return [{ from, to: [{ network: to, prefix: 32 }, ...behind] }];
  });
}
