import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { SECOND, type Clock } from '../../kernel/clock.ts';
import type { RdpPrograms } from '../../domain/remote/rdp-programs.ts';
import { RemoteFault } from '../../domain/remote/ssh-client.ts';
import type { RdpHost } from './rdp-host.ts';

export interface RdpLogin {
  username: string;
  password: string;
  domain: string;
}

export interface RdpOptions {
  clock: Clock;
  programs: RdpPrograms;
  /** Pixels. */
  size: { width: number; height: number };
  /** A member of KEYBOARDS; anything else is an American one. */
  keyboard: string;
  /** Text may be copied to the desktop and from it. */
  hasClipboard: boolean;
  host: RdpHost;
  login: RdpLogin;
  /** A connection to the RDP server. */
  openStream(): Promise<Duplex>;
  signal: AbortSignal;
}

/** A desktop that is shown on a screen of its own. */
export interface RdpDesktop {
  /** A connection to the screen, over VNC without a password. */
  openScreen(): Promise<Socket>;
  /** Answers once its programs have ended and its folder is gone. */
  close(): Promise<void>;
}

const UP_WITHIN_MS = 40 * SECOND;
const END_WITHIN_MS = 2 * SECOND;
/** The screen ends by itself so long after nobody watches it any more, should this process be gone. */
const ALONE_SECONDS = 30;
/** The client tries again once, by another connection. */
const MOST_CONNECTIONS = 4;
/**
 * What a server that is up to no good can make the client take: 4 MB of log, in blocks of 512 bytes, and 3 GB of addresses, in kilobytes, of which a desktop of
 * 3840 × 2160 uses 0.7. Beyond that the client ends, and the session with it.
 */
const WITHIN_LIMITS = 'ulimit -f 8192; ulimit -v 3000000; exec "$@"';
/** What the client says once there is a picture. */
const PICTURE = 'Local framebuffer format';
const REFUSED =
  /ERRCONNECT_(LOGON_FAILURE|WRONG_PASSWORD|AUTHENTICATION_FAILED|NO_OR_MISSING_CREDENTIALS|LOGON_TYPE_NOT_GRANTED|ACCESS_DENIED|INSUFFICIENT_PRIVILEGES|ACCOUNT_\w+|PASSWORD_\w+)/;

/** Why the client ended before there was a picture. */
export function faultOfLog(log: string, security: RdpHost['security']): RemoteFault {
  const [, refused] = REFUSED.exec(log) ?? [];
  if (refused !== undefined) return new RemoteFault('login-failed', refused);
  const [, code = ''] = /ERRCONNECT_(\w+)/.exec(log) ?? [];
  if (code === 'TLS_CONNECT_FAILED') return new RemoteFault('host-key-refused');
  // Servers that are not Windows just hang up on a wrong password.
  if (code === 'CONNECT_TRANSPORT_FAILED' && security === 'nla') return new RemoteFault('login-failed');
  return new RemoteFault('protocol', code);
}

/** An entry of Xauthority that fits any address: family, then three empty or counted fields. */
function authority(cookie: Buffer): Buffer {
  const field = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  const empty = Buffer.alloc(0);
  return Buffer.concat([Buffer.from([255, 255]), field(empty), field(empty), field(Buffer.from('MIT-MAGIC-COOKIE-1')), field(cookie)]);
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  child.kill(signal);
  const hard = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
  await once(child, 'exit');
  clearTimeout(hard);
}

/** The socket by which the client reaches the RDP server: each connection is one of the session. */
async function listenFor({ openStream }: RdpOptions, path: string): Promise<Server> {
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    count += 1;
    if (count > MOST_CONNECTIONS) return void socket.destroy();
    openStream().then(
      (stream) => {
        stream.on('error', () => undefined);
        stream.on('close', () => socket.destroy());
        socket.on('close', () => stream.destroy());
        stream.pipe(socket).pipe(stream);
      },
      () => socket.destroy(),
    );
  });
  server.listen(path);
  await once(server, 'listening');
  return server;
}

/** Starts the X server; answers the number of its display. */
async function startScreen(
  { programs, size, hasClipboard }: RdpOptions,
  folder: string,
  env: Record<string, string>,
  started: ChildProcess[],
): Promise<string> {
  const args = [
    '-displayfd',
    '3',
    '-auth',
    env['XAUTHORITY'] ?? '',
    '-nolisten',
    'tcp',
    '-rfbunixpath',
    join(folder, 'screen'),
    '-rfbport',
    '-1',
  ];
  const shown = ['-SecurityTypes', 'None', '-geometry', `${size.width}x${size.height}`, '-depth', '24', '-AcceptSetDesktopSize=0'];
  const copied = hasClipboard ? [] : ['-AcceptCutText=0', '-SendCutText=0'];
  const child = spawn(programs.screen, [...args, ...shown, ...copied, '-MaxDisconnectionTime', String(ALONE_SECONDS)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  started.push(child);
  const numbers = child.stdio[3] as Socket;
  const fault = (): RemoteFault => new RemoteFault('no-desktop', 'The screen on the server did not start.');
  return new Promise((resolve, reject) => {
    child.on('error', () => reject(fault()));
    child.on('exit', () => reject(fault()));
    let text = '';
    numbers.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (text.endsWith('\n')) resolve(text.trim());
    });
    numbers.on('error', () => reject(fault()));
  });
}

async function setKeyboard({ programs, keyboard }: RdpOptions, env: Record<string, string>): Promise<void> {
  const layout = KEYBOARDS[keyboard];
  if (!layout || !programs.keyboard) return;
  const child = spawn(programs.keyboard, [layout.x], { env, stdio: 'ignore' });
  child.on('error', () => undefined);
  await once(child, 'close').catch(() => undefined);
}

function argumentsOf({ programs, size, keyboard, hasClipboard, host, login }: RdpOptions, folder: string): string[] {
  const { windows } = KEYBOARDS[keyboard] ?? { windows: '0x00000409' };
  const isThree = basename(programs.client) === 'xfreerdp3';
  return [
    `/v:${join(folder, 'host')}`,
    `/u:${login.username}`,
    ...(login.domain === '' ? [] : [`/d:${login.domain}`]),
    '/from-stdin',
    `/sec:${host.security}`,
    `/cert:deny,fingerprint:sha256:${host.fingerprint.toLowerCase()}`,
    ...[`/size:${size.width}x${size.height}`, '/f', '/bpp:32', '-toggle-fullscreen', hasClipboard ? '+clipboard' : '-clipboard'],
    isThree ? `/kbd:layout:${windows}` : `/kbd:${windows}`,
    '/log-level:INFO',
  ];
}

/** Starts the client and answers once it has a picture. Its password goes through its standard input. */
async function startClient(
  options: RdpOptions,
  folder: string,
  env: Record<string, string>,
  started: ChildProcess[],
): Promise<ChildProcess> {
  const { clock, host, login, signal } = options;
  const log = { WLOG_APPENDER: 'FILE', WLOG_FILEAPPENDER_OUTPUT_FILE_PATH: folder, WLOG_FILEAPPENDER_OUTPUT_FILE_NAME: 'log' };
  const readLog = (): string => {
    try {
      return readFileSync(join(folder, 'log'), 'utf8');
    } catch {
      return '';
    }
  };
  const watcher = watch(folder);
  const child = spawn('/bin/sh', ['-c', WITHIN_LIMITS, 'sh', options.programs.client, ...argumentsOf(options, folder)], {
    cwd: folder,
    env: { ...env, ...log },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  started.push(child);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(`${login.password}\n`);
  let cancel = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(faultOfLog(readLog(), host.security));
      cancel = clock.after(UP_WITHIN_MS, () => reject(new RemoteFault('timeout')));
      signal.addEventListener('abort', () => reject(new RemoteFault('cancelled')), { once: true });
      child.on('error', fail);
      child.on('exit', fail);
      watcher.on('error', fail);
      watcher.on('change', () => readLog().includes(PICTURE) && resolve());
      if (hasEnded(child)) fail();
    });
  } finally {
    cancel();
    watcher.close();
  }
  return child;
}

/**
 * Shows an RDP desktop on a screen of its own: an X server with VNC, and FreeRDP on it. Both talk by sockets in a folder that only this user may enter, and end
 * together. Throws RemoteFault; nothing is left then.
 */
export async function startRdpDesktop(options: RdpOptions): Promise<RdpDesktop> {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-rdp-'));
  const started: ChildProcess[] = [];
  let server: Server | undefined;
  const sockets = new Set<Socket>();
  let closing: Promise<void> | undefined;

  async function stop(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    // The client has nothing to tidy up; the X server has its lock.
    await Promise.all(started.toReversed().map((child, index) => end(child, index < started.length - 1 ? 'SIGKILL' : 'SIGTERM')));
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const close = (): Promise<void> => (closing ??= stop());

  try {
    const xauthority = join(folder, 'authority');
    writeFileSync(xauthority, authority(randomBytes(16)), { mode: 0o600 });
    // Nothing of this process's own settings goes on.
    const base = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder, XAUTHORITY: xauthority, LANG: 'C.UTF-8' };
    server = await listenFor(options, join(folder, 'host'));
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    const env = { ...base, DISPLAY: `:${await startScreen(options, folder, base, started)}` };
    if (options.signal.aborted) throw new RemoteFault('cancelled');
    await setKeyboard(options, env);
    const client = await startClient(options, folder, env, started);
    client.on('exit', () => void close());
    if (hasEnded(client)) throw new RemoteFault('ended');
    return {
      close,
      async openScreen() {
        const socket = connect(join(folder, 'screen'));
        await once(socket, 'connect');
        return socket;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Keyboard layouts of desktops: the number that Windows knows them by, and the name of the same one in X. */
export const KEYBOARDS: Readonly<Record<string, { windows: string; x: string }>> = {
  us: { windows: '0x00000409', x: 'us' },
  gb: { windows: '0x00000809', x: 'gb' },
  de: { windows: '0x00000407', x: 'de' },
  ch: { windows: '0x00000807', x: 'ch' },
  fr: { windows: '0x0000040C', x: 'fr' },
  be: { windows: '0x0000080C', x: 'be' },
  nl: { windows: '0x00000413', x: 'nl' },
  no: { windows: '0x00000414', x: 'no' },
  se: { windows: '0x0000041D', x: 'se' },
  dk: { windows: '0x00000406', x: 'dk' },
  fi: { windows: '0x0000040B', x: 'fi' },
  es: { windows: '0x0000040A', x: 'es' },
  pt: { windows: '0x00000816', x: 'pt' },
  it: { windows: '0x00000410', x: 'it' },
  pl: { windows: '0x00000415', x: 'pl' },
  lt: { windows: '0x00010427', x: 'lt' },
  ua: { windows: '0x00000422', x: 'ua' },
  jp: { windows: '0x00000411', x: 'jp' },
};
