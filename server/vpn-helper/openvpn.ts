import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientSpec, ConnectionCode, HubSession, HubSpec } from '../edges/vpn/types.ts';
import { startChild, waitUntil } from './child.ts';
import { openManagement, type Management } from './management.ts';
import { etherOf, makeNamespace, moveInterface, nameOf, putFilter, putRoutes, run } from './network.ts';
import { NeedsRestart, type Note, type RunningHub } from './running-hub.ts';

const MOST_LINES_OF_ENV = 400;

/** `10.77.0.0/24` as OpenVPN writes networks. */
function spelled(network: string): string {
  const [address = '', prefix = '32'] = network.split('/');
  return `${address} ${maskOf(Number(prefix))}`;
}

function maskOf(prefix: number): string {
  const bits = 2 ** 32 - 2 ** (32 - prefix);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.');
}

/** The serial number of a certificate as OpenVPN gives it, `7a:0b:…`, as plain hex. */
const plainSerial = (text: string): string => text.replaceAll(':', '').toLowerCase();

function configurationOf(hub: HubSpec, dir: string): string {
  const { pki } = hub;
  if (!pki) throw new Error('an OpenVPN hub needs its certificates');
  const isTap = hub.kind === 'tap';
  return [
    'mode server',
    'tls-server',
    `dev ${nameOf(hub.id)}`,
    `dev-type ${hub.kind}`,
    'proto udp',
    `port ${hub.port}`,
    // A machine with several addresses answers from the one that was asked; clients drop other answers.
    'multihome',
    'disable-dco',
    ...(isTap ? [] : ['topology subnet', 'push "topology subnet"']),
    `ifconfig ${hub.address} ${maskOf(hub.prefix)}`,
    // The interface is in a namespace of its own, where OpenVPN is not.
    'ifconfig-noexec',
    'route-noexec',
    `push "route-gateway ${hub.address}"`,
    'keepalive 10 60',
    'persist-key',
    'persist-tun',
    'dh none',
    'verify-client-cert require',
    'remote-cert-tls client',
    'tls-version-min 1.2',
    'data-ciphers AES-256-GCM:CHACHA20-POLY1305:AES-128-GCM',
    'auth SHA256',
    `crl-verify ${join(dir, 'revoked.pem')}`,
    `management ${join(dir, 'management')} unix`,
    'management-client-auth',
    // Clients have certificates only; without this line the one above refuses them.
    'auth-user-pass-optional',
    'explicit-exit-notify 1',
    'verb 3',
    ...(isTap ? ['script-security 2', `learn-address ${join(dir, 'learn')}`] : []),
    `<ca>\n${pki.ca.trim()}\n</ca>`,
    `<cert>\n${pki.certificate.trim()}\n</cert>`,
    `<key>\n${pki.key.trim()}\n</key>`,
    `<tls-crypt>\n${pki.tlsCrypt.trim()}\n</tls-crypt>`,
    '',
  ].join('\n');
}

/** Lets a client of a `tap` hub use its own Ethernet address only: `learn add|update|delete ADDRESS NAME`. */
const LEARN = (dir: string): string => `#!/bin/sh
[ "$1" = delete ] && exit 0
case $3 in c[0-9]*) ;; *) exit 1 ;; esac
case $3 in *[!c0-9]*) exit 1 ;; esac
grep -qxF "$3 \${2%@*}" ${join(dir, 'addresses')}
`;

/** What a client is given when it connects. */
function giftsOf(hub: HubSpec, client: ClientSpec): string[] {
  return [
    `ifconfig-push ${client.address} ${maskOf(hub.prefix)}`,
    ...(hub.kind === 'tap' ? [] : client.networks.map((network) => `iroute ${spelled(network)}`)),
    ...client.routes.map((network) => `push "route ${spelled(network)}"`),
    ...hub.dhcp.map(({ type, address }) => `push "dhcp-option ${type} ${address}"`),
  ];
}

interface Connected extends HubSession {
  cid: string;
  gifts: string;
  serial: string;
  isUp: boolean;
}

/** Starts an OpenVPN hub: its interface goes to the hub's own namespace, and each connection is checked against the current specification. */
export async function startOpenVpn(
  first: HubSpec,
  { runDir, note, onEnd }: { runDir: string; note: Note; onEnd: () => void },
): Promise<RunningHub> {
  const dir = join(runDir, String(first.id));
  const name = nameOf(first.id);
  let hub = first;
  let management: Management | undefined;
  let routes = new Map<string, string>();
  const sessions = new Map<string, Connected>();
  const shown = ({ client, key, since, remote, sent, received }: Connected): HubSession => ({ client, key, since, remote, sent, received });

  const put = (file: string, text: string, mode: number): void => {
    writeFileSync(join(dir, `${file}.part`), text, { mode });
    chmodSync(join(dir, `${file}.part`), mode);
    renameSync(join(dir, `${file}.part`), join(dir, file));
  };
  function putFiles(): void {
    put('revoked.pem', hub.pki?.revoked ?? '', 0o644);
    if (hub.kind === 'tap') put('addresses', hub.clients.map(({ id, address }) => `c${id} ${etherOf(address)}\n`).join(''), 0o644);
  }
  const refuse = (cid: string, kid: string, client: number | null, remote: string, code: ConnectionCode): void => {
    note({ client, code, remote, session: null });
    void management?.ask(`client-deny ${cid} ${kid} "refused"`).catch(() => undefined);
  };
  function judge(cid: string, kid: string, env: ReadonlyMap<string, string>, isAgain: boolean): void {
    const id = Number(/^c(\d+)$/.exec(env.get('common_name') ?? '')?.[1] ?? 0);
    const client = hub.clients.find((one) => one.id === id);
    const serial = plainSerial(env.get('tls_serial_hex_0') ?? '');
    const remote = `${env.get('untrusted_ip') ?? env.get('trusted_ip') ?? ''}:${env.get('untrusted_port') ?? env.get('trusted_port') ?? ''}`;
    if (!client) return refuse(cid, kid, id || null, remote, 3);
    if (client.serial === undefined || client.serial !== serial) return refuse(cid, kid, id, remote, 2);
    const gifts = giftsOf(hub, client);
    void management?.ask([`client-auth ${cid} ${kid}`, ...gifts, 'END'].join('\n')).catch(() => undefined);
    if (isAgain) return;
    const since = Date.now();
    sessions.set(cid, {
      cid,
      client: id,
      key: `${cid}.${since}`,
      since,
      remote,
      sent: 0,
      received: 0,
      gifts: gifts.join('\n'),
      serial,
      isUp: false,
    });
  }
  function end(cid: string, env: ReadonlyMap<string, string>): void {
    const session = sessions.get(cid);
    sessions.delete(cid);
    if (!session?.isUp) return;
    session.sent = Number(env.get('bytes_received') ?? session.sent);
    session.received = Number(env.get('bytes_sent') ?? session.received);
    note({ client: session.client, code: 1, remote: session.remote, session: shown(session) });
  }
  let block: { kind: string; cid: string; kid: string; env: Map<string, string> } | undefined;
  function takeClient(line: string): void {
    const [word = '', ...rest] = line.split(',');
    if (word === 'ENV') {
      const text = rest.join(',');
      if (text !== 'END') {
        const at = text.indexOf('=');
        if (block && block.env.size < MOST_LINES_OF_ENV) block.env.set(text.slice(0, at), text.slice(at + 1));
        return;
      }
      const done = block;
      block = undefined;
      if (!done) return;
      if (done.kind === 'CONNECT' || done.kind === 'REAUTH') judge(done.cid, done.kid, done.env, done.kind === 'REAUTH');
      const session = sessions.get(done.cid);
      if (done.kind === 'ESTABLISHED' && session) {
        session.isUp = true;
        note({ client: session.client, code: 0, remote: session.remote, session: shown(session) });
      }
      if (done.kind === 'DISCONNECT') end(done.cid, done.env);
      return;
    }
    const [cid = '', kid = ''] = rest;
    if (word !== 'ADDRESS') block = { kind: word, cid, kid, env: new Map() };
  }
  function takeLog(line: string): void {
    // >LOG:1764000000,N,127.0.0.1:41000 VERIFY ERROR: depth=0, error=certificate revoked: CN=c7, serial=…
    const remote = /,([\d.]+:\d+) /.exec(line)?.[1] ?? '';
    const wrong = /VERIFY ERROR: depth=\d+, error=([^:]+): .*?CN=c(\d+)\b/.exec(line);
    const codes: Record<string, ConnectionCode> = { 'certificate revoked': 2, 'certificate has expired': 4 };
    if (wrong) note({ client: Number(wrong[2]), code: codes[wrong[1] ?? ''] ?? 5, remote, session: null });
  }
  function takeNotice(line: string): void {
    if (line.startsWith('>CLIENT:')) return takeClient(line.slice('>CLIENT:'.length));
    if (line.startsWith('>LOG:')) return takeLog(line);
    const count = /^>BYTECOUNT_CLI:(\d+),(\d+),(\d+)$/.exec(line);
    const session = count ? sessions.get(count[1] ?? '') : undefined;
    if (session) Object.assign(session, { sent: Number(count?.[2]), received: Number(count?.[3]) });
  }

  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  await makeNamespace(hub.id);
  putFiles();
  put('hub.conf', configurationOf(hub, dir), 0o600);
  if (hub.kind === 'tap') put('learn', LEARN(dir), 0o755);
  const child = startChild('openvpn', ['--config', join(dir, 'hub.conf')], { onEnd });
  try {
    management = await openManagement(join(dir, 'management'), child, takeNotice);
    await management.ask('bytecount 1');
    await management.ask('log on');
    await waitUntil(
      () =>
        run('ip', ['link', 'show', name]).then(
          () => true,
          () => false,
        ),
      child,
    );
    await moveInterface(hub);
    await putFilter(hub);
    routes = await putRoutes(hub, routes);
  } catch (error) {
    management?.close();
    await child.stop();
    throw error;
  }
  return {
    async change(next) {
      const isSame = (['port', 'kind', 'address', 'prefix'] as const).every((key) => next[key] === hub[key]);
      const [now, then] = [hub.pki, next.pki];
      const isSamePki = (['ca', 'certificate', 'key', 'tlsCrypt'] as const).every((key) => now?.[key] === then?.[key]);
      if (!isSame || !isSamePki) throw new NeedsRestart('another port, address or certificate');
      hub = next;
      putFiles();
      await putFilter(hub);
      routes = await putRoutes(hub, routes);
      for (const session of [...sessions.values()]) {
        const client = hub.clients.find(({ id }) => id === session.client);
        const isOut = client?.serial !== session.serial;
        if (!isOut && client && giftsOf(hub, client).join('\n') === session.gifts) continue;
        // One that is out is halted; one that gets other routes connects again by itself.
        await management?.ask(`client-kill ${session.cid} ${isOut ? 'HALT' : 'RESTART'}`);
        if (isOut) end(session.cid, new Map());
      }
    },
    async sessions() {
      return [...sessions.values()].filter(({ isUp }) => isUp).map(shown);
    },
    error: () => child.ended(),
    async stop() {
      await child.stop();
      management?.close();
      for (const { cid } of [...sessions.values()]) end(cid, new Map());
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
