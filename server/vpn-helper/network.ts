import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { HubSpec } from '../edges/vpn/types.ts';

const COMMAND_MS = 15_000;

/** Runs a program without a shell and answers what it prints. Throws Error with what it says. */
export function run(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: COMMAND_MS, maxBuffer: 64 * 1024 * 1024 }, (error, out, said) => {
      if (error) reject(new Error(`${program}: ${said.trim() || error.message}`.slice(0, 500)));
      else resolve(out);
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

let prefix = 'cv';

/** Gives the namespaces and interfaces of this helper names that are its own: several helpers can run on one machine, and a device agent beside them. */
export function setNamePrefix(runDir: string): void {
  prefix = `cv${createHash('sha256').update(runDir).digest('hex').slice(0, 5)}`;
}

/** Name of a hub's namespace and of the interface in it; `probe` is one that is tried out. An interface's name has 15 characters at most. */
export const nameOf = (id: number | 'probe'): string => `${prefix}${id}`;

/** Runs a program inside the network namespace of a hub. */
export const inside = (id: number, program: string, args: readonly string[], input?: string): Promise<string> =>
  run('ip', ['netns', 'exec', nameOf(id), program, ...args], input);

const ip = (id: number, args: readonly string[]): Promise<string> => run('ip', ['-n', nameOf(id), ...args]);

const SWITCHES = (id: number, isTap: boolean): string[] => [
  'ipv4/ip_forward=1',
  'ipv4/conf/all/send_redirects=0',
  `ipv4/conf/${nameOf(id)}/send_redirects=0`,
  // Clients of an Ethernet hub find each other through the hub, which decides, never directly.
  ...(isTap ? [`ipv4/conf/${nameOf(id)}/proxy_arp_pvlan=1`, `ipv4/conf/${nameOf(id)}/arp_ignore=1`] : []),
];

/**
 * Makes the network namespace of a hub. It has the hub's interface and nothing else: no way leads to other hubs, to this machine, or out. What is
 * left of an earlier run goes first.
 */
export async function makeNamespace(id: number): Promise<void> {
  await dropNamespace(id);
  await run('ip', ['netns', 'add', nameOf(id)]);
}

export async function dropNamespace(id: number): Promise<void> {
  await run('ip', ['link', 'del', nameOf(id)]).catch(() => undefined);
  await run('ip', ['netns', 'del', nameOf(id)]).catch(() => undefined);
}

/** Moves the hub's interface into its namespace and gives it its address. */
export async function moveInterface(hub: HubSpec): Promise<void> {
  const name = nameOf(hub.id);
  await run('ip', ['link', 'set', name, 'netns', name]);
  const commands = SWITCHES(hub.id, hub.kind === 'tap').map((line) => {
    const [path = '', value = ''] = line.split('=');
    return `echo ${value} >/proc/sys/net/${path}`;
  });
  await inside(hub.id, 'sh', ['-c', commands.join(' && ')]);
  await ip(hub.id, ['addr', 'replace', `${hub.address}/${hub.prefix}`, 'dev', name]);
  await ip(hub.id, ['link', 'set', name, 'up']);
}

/** Leads networks behind clients into the tunnel. `known` is what was there before; answers what is there now. */
export async function putRoutes(hub: HubSpec, known: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const wanted = new Map(hub.clients.flatMap(({ address, networks }) => networks.map((network) => [network, address] as const)));
  const via = (address: string): string[] => (hub.kind === 'tap' ? ['via', address] : []);
  for (const network of known.keys()) if (!wanted.has(network)) await ip(hub.id, ['route', 'del', network]).catch(() => undefined);
  for (const [network, address] of wanted)
    if (known.get(network) !== address) await ip(hub.id, ['route', 'replace', network, ...via(address), 'dev', nameOf(hub.id)]);
  return wanted;
}

/** The Ethernet address that a client of a `tap` hub has to use: its own, so that nobody takes that of another. */
export function etherOf(address: string): string {
  return ['02', '0c', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
}

/** The firewall of a hub's namespace: nothing reaches the hub itself, and from client to client passes what `reach` says, with the answers to it. */
export function filterOf(hub: HubSpec): string {
  const pairs = hub.reach.flatMap(({ from, to }) => to.map((network) => `${from} . ${network}`));
  const owners = hub.clients.flatMap(({ address, networks }) =>
    [`${address}/32`, ...networks].map((network) => `${network} . ${etherOf(address)}`),
  );
  const set = (name: string, type: string, elements: readonly string[]): string =>
    `  set ${name} { type ${type}; flags interval; ${elements.length > 0 ? `elements = { ${[...new Set(elements)].join(', ')} }` : ''} }`;
  return [
    'flush ruleset',
    'table inet canopy {',
    set('allowed', 'ipv4_addr . ipv4_addr', pairs),
    ...(hub.kind === 'tap' ? [set('owners', 'ipv4_addr . ether_addr', owners)] : []),
    // Answers to what the helper opened from here; nobody else does.
    '  chain input { type filter hook input priority 0; policy drop; ct direction reply ct state established accept; }',
    '  chain forward {',
    '    type filter hook forward priority 0; policy drop;',
    ...(hub.kind === 'tap' ? ['    ip saddr . ether saddr != @owners drop'] : []),
    '    ip saddr . ip daddr @allowed accept',
    '    ip daddr . ip saddr @allowed ct direction reply ct state established,related accept',
    '  }',
    '}',
    '',
  ].join('\n');
}

/** Replaces the firewall of a hub in one step. */
export async function putFilter(hub: HubSpec): Promise<void> {
  await inside(hub.id, 'nft', ['-f', '-'], filterOf(hub));
}
