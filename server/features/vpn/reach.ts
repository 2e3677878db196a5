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

/** An end of a rule: one client, or all that are in a group. */
export interface RuleEnd {
  client: number | null;
  tag: number | null;
}

export interface ReachClient {
  id: number;
  address: number;
  /** Enabled, and of a company that the hub is for. */
  isActive: boolean;
  tags: readonly number[];
}

/** What decides who reaches whom in one hub. */
export interface Reachable {
  hub: Network & { enabled: boolean };
  clients: readonly ReachClient[];
  routes: readonly (Network & { id: number; vpn_client_id: number })[];
  rules: readonly { id: number; from: RuleEnd; to: RuleEnd }[];
}

const answer = (reason: VpnReach['reason'], found: Partial<VpnReach> = {}): VpnReach => ({
  reaches: reason === 'rule',
  reason,
  to_client_id: null,
  rule_id: null,
  route_id: null,
  ...found,
});

const isEnd = ({ client, tag }: RuleEnd, one: ReachClient): boolean => one.id === client || (tag !== null && one.tags.includes(tag));

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
  const rule = from.id === to.id ? undefined : rules.find((one) => isEnd(one.from, from) && isEnd(one.to, to));
  return rule ? answer('rule', { ...found, rule_id: rule.id }) : answer('no_rule', found);
}

/** The clients that each active client reaches, by the same rules as `findReach`; those that reach nobody are left out. */
export function listReached({ hub, clients, rules }: Reachable): Map<ReachClient, ReachClient[]> {
  const reached = new Map<ReachClient, Set<ReachClient>>();
  if (!hub.enabled) return new Map();
  const active = clients.filter(({ isActive }) => isActive);
  for (const rule of rules) {
    const to = active.filter((client) => isEnd(rule.to, client));
    for (const from of active) {
      if (!isEnd(rule.from, from)) continue;
      const mine = reached.get(from) ?? new Set();
      for (const client of to) if (client !== from) mine.add(client);
      if (mine.size > 0) reached.set(from, mine);
    }
  }
  return new Map([...reached].map(([from, to]) => [from, [...to].toSorted((a, b) => a.address - b.address)]));
}

/** Pairs of an address and the networks that it reaches: what the hub's machine lets through. */
export function listReach(reachable: Reachable): { from: number; to: Network[] }[] {
  const behind = Map.groupBy(reachable.routes, ({ vpn_client_id }) => vpn_client_id);
  return [...listReached(reachable)].map(([from, clients]) => ({
    from: from.address,
    to: clients.flatMap((client) => [
      { network: client.address, prefix: 32 },
      ...(behind.get(client.id) ?? []).map(({ network, prefix }) => ({ network, prefix })),
    ]),
  }));
}

/** Networks behind other clients that a client reaches. */
export function networksReachedBy(reachable: Reachable, id: number): Network[] {
  const mine = [...listReached(reachable)].find(([from]) => from.id === id)?.[1] ?? [];
  const reached = new Set(mine.map((client) => client.id));
  return reachable.routes.filter((route) => reached.has(route.vpn_client_id));
}
