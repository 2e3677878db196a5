import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { HelperState, HubEvent, HubSpec, HubState, VpnKind } from '../edges/vpn/types.ts';
import { createSerialQueue } from '../kernel/serial-queue.ts';
import { readConnectCall, readHubSpec, revisionOf } from '../edges/vpn/wire.ts';
import { createConnectors } from './connectors.ts';
import { dropNamespace, nameOf, run, setNamePrefix } from './network.ts';
import { startOpenVpn } from './openvpn.ts';
import { NeedsRestart, type Note, type RunningHub } from './running-hub.ts';
import { findWireGuard, startWireGuard } from './wireguard.ts';

const MOST_EVENTS = 5000;
const MOST_HUBS = 500;
const RETRY_MS = 30_000;

interface Entry {
  spec: HubSpec;
  revision: string;
  hub: RunningHub | undefined;
  error: string | null;
  triedAt: number;
}

export interface Helper extends AsyncDisposable {
  apply(spec: unknown): Promise<string | null>;
  remove(id: number): Promise<void>;
  state(after: number): Promise<HelperState>;
  /** A connection from a hub to the port of a client, of which the first line says whether it is there. Throws Error for a hub or a client that is not in force. */
  connect(call: unknown): Promise<Socket>;
}

const works = (program: string, args: readonly string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );

/** Runs hubs on this machine, one namespace each. What it runs ends with it. */
export async function createHelper(runDir: string): Promise<Helper> {
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  const boot = randomBytes(9).toString('base64url');
  const lacks: HelperState['lacks'][number][] = [];
  setNamePrefix(runDir);
  const probe = nameOf('probe');
  const hasRights = await works('ip', ['netns', 'add', probe]);
  if (hasRights) await run('ip', ['netns', 'del', probe]);
  else lacks.push('rights');
  if (!(await works('nft', ['--version']))) lacks.push('nftables');
  const wireguard = hasRights ? await findWireGuard() : undefined;
  if (hasRights && !wireguard) lacks.push('wireguard');
  // It answers 1 to --version in some versions, so only whether it is there counts.
  const hasOpenVpn = (await works('sh', ['-c', 'command -v openvpn'])) && existsSync('/dev/net/tun');
  if (!hasOpenVpn) lacks.push('openvpn');
  const canRun = hasRights && !lacks.includes('nftables');
  const kinds: VpnKind[] = canRun ? [...(wireguard ? (['wireguard'] as const) : []), ...(hasOpenVpn ? (['tun', 'tap'] as const) : [])] : [];
  const connectors = createConnectors(runDir);
  const entries = new Map<number, Entry>();
  const events: HubEvent[] = [];
  let count = 0;
  const noteOf =
    (hub: number): Note =>
    (event) => {
      count += 1;
      events.push({ ...event, number: count, hub, at: Date.now() });
      if (events.length > MOST_EVENTS) events.shift();
    };

  async function start(spec: HubSpec): Promise<RunningHub> {
    if (!kinds.includes(spec.kind)) throw new Error(`this machine can not run hubs of this kind (${lacks.join(', ')})`);
    const [note, onEnd] = [noteOf(spec.id), () => undefined];
    if (spec.kind !== 'wireguard') return startOpenVpn(spec, { runDir, note, onEnd });
    return startWireGuard(spec, { way: wireguard ?? 'kernel', runDir, note, onEnd });
  }
  async function stop(id: number): Promise<void> {
    const entry = entries.get(id);
    entries.delete(id);
    await connectors.stop(id);
    await entry?.hub?.stop();
    await dropNamespace(id);
  }
  async function apply(given: unknown): Promise<string | null> {
    const spec = readHubSpec(given);
    const revision = revisionOf(spec);
    const before = entries.get(spec.id);
    if (!before && entries.size >= MOST_HUBS) return 'there are too many hubs';
    try {
      if (before?.hub && before.hub.error() === undefined) {
        try {
          await before.hub.change(spec);
          entries.set(spec.id, { spec, revision, hub: before.hub, error: null, triedAt: Date.now() });
          return null;
        } catch (error) {
          // Whatever could not be changed in place is made again: a hub never runs with rules of before.
          if (!(error instanceof NeedsRestart)) process.stderr.write(`hub ${spec.id}: ${String(error)}\n`);
        }
      }
      await stop(spec.id);
      const hub = await start(spec);
      entries.set(spec.id, { spec, revision, hub, error: null, triedAt: Date.now() });
      return null;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      await stop(spec.id);
      entries.set(spec.id, { spec, revision, hub: undefined, error: why, triedAt: Date.now() });
      return why;
    }
  }
  async function stateOf(id: number, entry: Entry): Promise<HubState> {
    const error = entry.hub?.error() ?? entry.error;
    const isRunning = entry.hub !== undefined && error === null;
    const sessions = isRunning && entry.hub ? await entry.hub.sessions().catch(() => []) : [];
    // A program that ended is started again, and what did not start is tried again: the revision is not in force.
    const isDue = !isRunning && (entry.hub !== undefined || Date.now() - entry.triedAt > RETRY_MS);
    return { id, revision: isDue ? '' : entry.revision, isRunning, error, sessions };
  }
  // One thing at a time: two changes of one hub must not overtake each other.
  const inTurn = createSerialQueue();
  return {
    apply: (spec) => inTurn(() => apply(spec)),
    remove: (id) => inTurn(() => stop(id)),
    state: (after) =>
      inTurn(async () => {
        const hubs = await Promise.all([...entries].map(([id, entry]) => stateOf(id, entry)));
        return { boot, kinds, lacks, hubs, events: events.filter(({ number }) => number > after) };
      }),
    async connect(given) {
      const { hub: id, client, port } = readConnectCall(given);
      const entry = entries.get(id);
      const address = entry?.spec.clients.find((one) => one.id === client)?.address;
      if (!entry?.hub || entry.hub.error() !== undefined || address === undefined)
        throw new Error('the hub does not run, or has no such client');
      return connectors.open(id, address, port);
    },
    [Symbol.asyncDispose]: () =>
      inTurn(async () => {
        for (const id of [...entries.keys()]) await stop(id);
      }),
  };
}
