import type { WebSocket } from 'ws';
import type { Context } from '../../context.ts';
import { keepKey, knownKeys } from '../../domain/remote/host-keys.ts';
import { originOfSession } from '../../domain/remote/open-ssh.ts';
import { findRdpPrograms } from '../../domain/remote/rdp-programs.ts';
import { RemoteFault } from '../../domain/remote/ssh-client.ts';
import { createTalk, type Talk } from '../../domain/remote/console-exchange.ts';
import type { RemoteSession } from '../../domain/remote/types.ts';
import { startRdpDesktop, type RdpDesktop, type RdpLogin, type RdpOptions } from './rdp-desktop.ts';
import { RDP_KEY, readRdpHost, type RdpHost } from './rdp-host.ts';
import { signInVnc } from './rfb.ts';
import { shareDesktop } from './vnc-relay.ts';

const TRIES = 3;
const DEFAULT_SIZE = { width: 1280, height: 800 };
const SMALLEST = { width: 640, height: 480 };
const LARGEST = { width: 3840, height: 2160 };

/** The desktops of this process, those that are just starting too. */
const open = new Set<{ end(): void; gone: Promise<void> }>();

/** Ends all desktops and answers once their programs are gone. */
export async function endDesktops(): Promise<void> {
  const all = [...open];
  for (const { end } of all) end();
  await Promise.all(all.map(({ gone }) => gone));
}

/** The size of the browser's window, as a desktop can have it: the width a multiple of 4. */
export function readDesktopSize(hello: unknown): { width: number; height: number } {
  const given = (typeof hello === 'object' && hello !== null ? hello : {}) as Record<string, unknown>;
  const within = (name: 'width' | 'height'): number => {
    const value = given[name];
    const pixels = typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : DEFAULT_SIZE[name];
    return Math.min(LARGEST[name], Math.max(SMALLEST[name], pixels));
  };
  return { width: within('width') & ~3, height: within('height') };
}

const streamOf = (session: RemoteSession) =>
  session.openStream().catch((error: unknown) => {
    throw new RemoteFault('unreachable', error instanceof Error ? error.message : '');
  });

/** Throws RemoteFault unless somebody trusts the certificate, now or before. */
async function assertTrusted(ctx: Context, session: RemoteSession, talk: Talk, { fingerprint }: RdpHost): Promise<void> {
  const before = (await knownKeys(ctx, session)).find(({ key_type }) => key_type === RDP_KEY);
  if (before?.fingerprint === fingerprint) return;
  const { host, port } = session.entry;
  const known = before ? { known: before.fingerprint } : {};
  const answer = await talk.ask({ kind: 'host-key', key_type: RDP_KEY, fingerprint, host, port, ...known });
  if (answer === null || !('trust' in answer) || !answer.trust) throw new RemoteFault('host-key-refused');
  await keepKey(ctx, session, originOfSession(session), { key_type: RDP_KEY, fingerprint });
}

/** Who signs in: what is stored, completed by what is asked for. */
async function readLogin(session: RemoteSession, talk: Talk, failedAs: string | undefined): Promise<RdpLogin> {
  const domain = session.entry.domain ?? '';
  const stored = await session.credentials();
  if (failedAs === undefined && stored?.username && stored.password !== undefined)
    return { username: stored.username, password: stored.password, domain };
  const username = failedAs ?? stored?.username;
  const named = username ? { username } : {};
  const answer = await talk.ask({
    kind: 'login',
    ...named,
    failed: failedAs !== undefined,
    takes_key: false,
    needs_username: !stored?.username,
  });
  if (answer === null || 'trust' in answer || 'answers' in answer) throw new RemoteFault('cancelled');
  const login = { username: stored?.username ?? answer.username ?? '', password: answer.password ?? '', domain };
  // They are one line each to the client.
  if (login.username === '' || /[\r\n\0]/.test(login.username + login.password)) throw new RemoteFault('login-failed');
  return login;
}

async function startForPerson(
  ctx: Context,
  { session, talk, options }: { session: RemoteSession; talk: Talk; options: Omit<RdpOptions, 'host' | 'login'> },
): Promise<RdpDesktop> {
  const host = await readRdpHost(ctx.clock, await streamOf(session));
  await assertTrusted(ctx, session, talk, host);
  let failedAs: string | undefined;
  for (let tries = 1; ; tries += 1) {
    const login = await readLogin(session, talk, failedAs);
    try {
      return await startRdpDesktop({ ...options, host, login });
    } catch (error) {
      const isRefused = error instanceof RemoteFault && error.reason === 'login-failed';
      if (!isRefused || tries >= TRIES || options.signal.aborted) throw error;
      failedAs = login.username;
    }
  }
}

/**
 * Serves an RDP desktop: FreeRDP shows it on a screen on the server, which the browser sees as a VNC desktop. Credentials and the protocol of the desktop never
 * reach the browser; what is counted is what passes to and from the desktop itself.
 */
export async function relayRdp(ctx: Context, session: RemoteSession, socket: WebSocket, hello: unknown): Promise<void> {
  const talk = createTalk(socket);
  const over = new AbortController();
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const place = { end: () => over.abort(), gone };
  const leave = (): void => {
    open.delete(place);
    resolve();
  };
  let desktop: RdpDesktop | undefined;
  session.onEnd(() => over.abort());
  try {
    const programs = findRdpPrograms();
    if (!programs) throw new RemoteFault('no-desktop', 'RDP needs xfreerdp and Xtigervnc on the server.');
    if (open.size >= ctx.config.remote.rdpDesktops) throw new RemoteFault('too-many-desktops');
    open.add(place);
    const options = {
      ...{ clock: ctx.clock, programs, signal: over.signal },
      ...{ size: readDesktopSize(hello), keyboard: session.entry.keyboard ?? '', hasClipboard: session.hasClipboard },
      ...{ openStream: () => session.openStream() },
    };
    const started = await startForPerson(ctx, { session, talk, options });
    desktop = started;
    const stream = await started.openScreen();
    stream.on('error', () => undefined);
    stream.on('close', () => void started.close().then(leave, leave));
    over.signal.addEventListener('abort', () => stream.destroy(), { once: true });
    if (over.signal.aborted) throw new RemoteFault('cancelled');
    await signInVnc(stream, async () => '');
    shareDesktop(ctx, { session, socket, talk, stream, hasFixedSize: true });
  } catch (error) {
    await desktop?.close();
    leave();
    const fault = error instanceof RemoteFault ? error : new RemoteFault('protocol', error instanceof Error ? error.message : '');
    talk.sendEnd(fault.reason, fault.message);
    session.end('ended');
  }
}
