import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HubSession, HubSpec } from '../edges/vpn/types.ts';
import { startChild, waitUntil, type Child } from './child.ts';
import { inside, makeNamespace, moveInterface, nameOf, putFilter, putRoutes, run } from './network.ts';
import type { Note, RunningHub } from './running-hub.ts';

/** A peer that has not shaken hands for so long is gone: WireGuard renews its keys every two minutes while packets flow. */
const SILENT_MS = 180_000;

export type WireGuardWay = 'kernel' | 'userspace';

/** How this machine runs WireGuard; undefined when it can not. */
export async function findWireGuard(): Promise<WireGuardWay | undefined> {
  const probe = nameOf('probe');
  const hasTools = await run('wg', ['--version']).then(
    () => true,
    () => false,
  );
  if (!hasTools) return undefined;
  const isKernel = await run('ip', ['link', 'add', probe, 'type', 'wireguard']).then(
    () => true,
    () => false,
  );
  if (isKernel) {
    await run('ip', ['link', 'del', probe]);
    return 'kernel';
  }
  return run('wireguard-go', ['--version']).then(
    () => (existsSync('/dev/net/tun') ? ('userspace' as const) : undefined),
    () => undefined,
  );
}

function settingsOf(hub: HubSpec): string {
  const peers = hub.clients.flatMap(({ address, publicKey, networks }) =>
    publicKey === undefined ? [] : ['[Peer]', `PublicKey = ${publicKey}`, `AllowedIPs = ${[`${address}/32`, ...networks].join(', ')}`],
  );
  return ['[Interface]', `PrivateKey = ${hub.privateKey}`, `ListenPort = ${hub.port}`, ...peers, ''].join('\n');
}

interface Peer {
  key: string;
  remote: string;
  handshake: number;
  sent: number;
  received: number;
}

/** The lines of `wg show <name> dump` after the first: key, preshared key, endpoint, allowed networks, handshake, received, sent, keepalive. */
function readDump(text: string): Peer[] {
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [key = '', , remote = '', , handshake = '0', received = '0', sent = '0'] = line.split('\t');
      return { key, remote, handshake: Number(handshake) * 1000, sent: Number(received), received: Number(sent) };
    });
}

/** Starts a WireGuard hub. The socket stays where the helper runs, so that clients reach it, and the interface goes to the hub's own namespace. */
export async function startWireGuard(
  first: HubSpec,
  { way, runDir, note, onEnd }: { way: WireGuardWay; runDir: string; note: Note; onEnd: () => void },
): Promise<RunningHub> {
  const name = nameOf(first.id);
  let hub = first;
  let child: Child | undefined;
  let routes = new Map<string, string>();
  const sessions = new Map<number, HubSession & { base: Peer; peer: string }>();
  await makeNamespace(first.id);
  if (way === 'kernel') await run('ip', ['link', 'add', name, 'type', 'wireguard']);
  else {
    const started = startChild('wireguard-go', ['-f', name], { env: { LOG_LEVEL: 'error' }, onEnd });
    child = started;
    await waitUntil(() => existsSync(`/var/run/wireguard/${name}.sock`), started);
  }
  const close = (client: number): void => {
    const session = sessions.get(client);
    sessions.delete(client);
    if (session) note({ client, code: 1, remote: session.remote, session: shown(session) });
  };
  const shown = ({ client, key, since, remote, sent, received }: HubSession): HubSession => ({
    client,
    key,
    since,
    remote,
    sent,
    received,
  });
  async function put(): Promise<void> {
    // Before the peers: a new client must find the door shut.
    await putFilter(hub);
    // `syncconf` leaves peers alone that stay as they are; `setconf` would cut everybody off.
    mkdirSync(runDir, { recursive: true, mode: 0o700 });
    const file = join(runDir, `${hub.id}.conf`);
    writeFileSync(file, settingsOf(hub), { mode: 0o600 });
    try {
      await inside(hub.id, 'wg', ['syncconf', name, file]);
    } finally {
      rmSync(file, { force: true });
    }
  }
  function look(peers: readonly Peer[]): void {
    const now = Date.now();
    const owners = new Map(hub.clients.flatMap(({ id, publicKey }) => (publicKey === undefined ? [] : [[publicKey, id] as const])));
    const found = new Set<number>();
    for (const peer of peers) {
      const client = owners.get(peer.key);
      if (client === undefined || peer.handshake === 0 || now - peer.handshake > SILENT_MS) continue;
      found.add(client);
      let session = sessions.get(client);
      // New keys, or counters that began again: another session.
      if (session && (session.peer !== peer.key || peer.sent < session.base.sent)) {
        close(client);
        session = undefined;
      }
      if (!session) {
        const base = { ...peer, sent: 0, received: 0 };
        session = {
          client,
          key: `${client}.${peer.handshake}`,
          since: peer.handshake,
          remote: peer.remote,
          sent: 0,
          received: 0,
          base,
          peer: peer.key,
        };
        sessions.set(client, session);
        note({ client, code: 0, remote: peer.remote, session: shown(session) });
      }
      Object.assign(session, { remote: peer.remote, sent: peer.sent - session.base.sent, received: peer.received - session.base.received });
    }
    for (const client of sessions.keys()) if (!found.has(client)) close(client);
  }
  await moveInterface(hub);
  await put();
  routes = await putRoutes(hub, routes);
  return {
    async change(next) {
      hub = next;
      await put();
      routes = await putRoutes(hub, routes);
      // Those that were taken out are gone at once, whatever the last handshake says.
      const kept = new Map(hub.clients.map(({ id, publicKey }) => [id, publicKey]));
      for (const [client, session] of sessions) if (kept.get(client) !== session.peer) close(client);
    },
    async sessions() {
      look(readDump(await inside(hub.id, 'wg', ['show', name, 'dump'])));
      return [...sessions.values()].map(shown);
    },
    error: () => child?.ended(),
    async stop() {
      for (const client of sessions.keys()) close(client);
      await child?.stop();
    },
  };
}
