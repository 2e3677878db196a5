import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** A real server of Debian on loopback, which ends with the test. */
export interface Counterpart extends AsyncDisposable {
  port: number;
  folder: string;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'canopy-remote-'));
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 3000);
  await once(child, 'exit');
  clearTimeout(hard);
}

/** Starts a program that listens, and removes its folder in the end. */
export async function run(
  command: string,
  args: string[],
  { port, folder, env = {} }: { port: number; folder: string; env?: Record<string, string> },
) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-4000);
  });
  await until(`${command} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`);
    return answers(port);
  });
  return {
    port,
    folder,
    async [Symbol.asyncDispose]() {
      await endOf(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface SshServer extends Counterpart {
  username: string;
  privateKey: string;
}

/** OpenSSH for the user of the tests, who signs in by key; passwords are asked for and wrong. `more`: lines of sshd_config. */
export async function startSshd({
  more = [],
  port,
  hostKey,
}: { more?: string[]; port?: number; hostKey?: 'rsa' | 'ed25519' } = {}): Promise<SshServer> {
  const folder = makeFolder();
  const listening = port ?? (await freePort());
  execFileSync('ssh-keygen', ['-q', '-t', hostKey ?? 'ed25519', '-N', '', '-f', join(folder, 'host')]);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'user')]);
  chmodSync(folder, 0o755);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const lines = [
    `Port ${listening}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host')}`,
    `PidFile ${join(folder, 'pid')}`,
    `AuthorizedKeysFile ${join(folder, 'user.pub')}`,
    'UsePAM no',
    'StrictModes no',
    'PermitRootLogin yes',
    'PermitEmptyPasswords no',
    'MaxStartups 200',
    'Subsystem sftp internal-sftp',
    // Neither the start-up files of the user who runs the tests, nor lines in that user's history.
    `SetEnv HOME=${folder}`,
    ...more,
  ];
  writeFileSync(join(folder, 'config'), `${lines.join('\n')}\n`);
  const server = await run('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'config')], { port: listening, folder });
  return { ...server, username: userInfo().username, privateKey: readFileSync(join(folder, 'user'), 'utf8') };
}

/** Dropbear as OpenWrt has it: no sftp-server. It sees a folder of the test as the home of the user; that takes a mount namespace, so root. */
export async function startDropbear(): Promise<SshServer> {
  const folder = makeFolder();
  const port = await freePort();
  execFileSync('dropbearkey', ['-t', 'ed25519', '-f', join(folder, 'host')], { stdio: 'ignore' });
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'user')]);
  const home = join(folder, 'home');
  mkdirSync(join(home, '.ssh'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, '.ssh', 'authorized_keys'), readFileSync(join(folder, 'user.pub')), { mode: 0o600 });
  const hide = 'for file in /usr/lib/sftp-server /usr/lib/openssh/sftp-server; do [ ! -e $file ] || mount --bind /dev/null $file; done';
  const command = `mount --bind "$1" "$2" && { ${hide}; exec dropbear -F -E -r "$3" -p "$4"; }`;
  const args = ['-m', 'sh', '-c', command, 'sh', home, userInfo().homedir, join(folder, 'host'), `127.0.0.1:${port}`];
  const server = await run('unshare', args, { port, folder });
  return { ...server, username: userInfo().username, privateKey: readFileSync(join(folder, 'user'), 'utf8') };
}

/** inetutils' telnetd without inetd. `login`: a script in the place of /bin/login. */
export async function startTelnetd(login: string): Promise<Counterpart> {
  const folder = makeFolder();
  const script = join(folder, 'login.sh');
  writeFileSync(script, login, { mode: 0o755 });
  const children = new Set<ChildProcess>();
  const server = createServer({ pauseOnConnect: true }, (socket: Socket) => {
    const child = spawn('/usr/sbin/telnetd', [`--exec-login=${script}`], { stdio: [socket, socket, 'ignore'] });
    children.add(child);
    child.once('exit', () => {
      children.delete(child);
      socket.destroy();
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    folder,
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Desktop extends Counterpart {
  display: string;
  password: string;
  /** What was typed into the terminal window on it. */
  typed(): string;
}

export interface RdpServer extends Desktop {
  username: string;
}

/** FreeRDP's server, which shows an X desktop to one person who signs in before there is a picture (NLA). */
export async function startRdpServer(): Promise<RdpServer> {
  const desktop = await startVncDesktop();
  const folder = makeFolder();
  const port = await freePort();
  const password = 'Rdp-1234 §';
  const hash = execFileSync('openssl', ['dgst', '-provider', 'legacy', '-provider', 'default', '-md4'], {
    input: Buffer.from(password, 'utf16le'),
  });
  writeFileSync(join(folder, 'sam'), `kari:::${hash.toString().trim().split(' ').pop()}:::\n`, { mode: 0o600 });
  const args = [`/port:${port}`, '/bind-address:127.0.0.1', `/sam-file:${join(folder, 'sam')}`, '/sec:nla'];
  const server = await run('freerdp-shadow-cli', args, { port, folder, env: { DISPLAY: desktop.display, HOME: folder } });
  return {
    ...desktop,
    ...server,
    username: 'kari',
    password,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await desktop[Symbol.asyncDispose]();
    },
  };
}

/** An X desktop over VNC with a window that keeps what is typed into it. */
export async function startVncDesktop({ size = '800x600' } = {}): Promise<Desktop> {
  const folder = makeFolder();
  const port = await freePort();
  const password = 'Vnc-1234';
  writeFileSync(join(folder, 'password'), execFileSync('vncpasswd', ['-f'], { input: `${password}\n` }), { mode: 0o600 });
  const display = String(port - 5900 > 0 ? 100 + (port % 20_000) : 99);
  const server = await run(
    'Xtigervnc',
    [
      `:${display}`,
      ...['-geometry', size, '-depth', '24', '-rfbport', String(port), '-interface', '127.0.0.1', '-localhost=1'],
      ...['-SecurityTypes', 'VncAuth', '-PasswordFile', join(folder, 'password'), '-AlwaysShared'],
    ],
    { port, folder },
  );
  const typed = join(folder, 'typed.txt');
  writeFileSync(typed, '');
  const terminal = spawn('xterm', ['-geometry', '80x24+0+0', '-bg', 'blue', '-e', `stty -icanon -echo; cat > ${typed}`], {
    env: { ...process.env, DISPLAY: `:${display}` },
    stdio: 'ignore',
  });
  return {
    ...server,
    display: `:${display}`,
    password,
    typed: () => (existsSync(typed) ? readFileSync(typed, 'utf8') : ''),
    async [Symbol.asyncDispose]() {
      await endOf(terminal);
      await server[Symbol.asyncDispose]();
    },
  };
}

/** xrdp, which lets everybody in by TLS and asks who they are in its picture. */
export async function startXrdp(): Promise<Counterpart> {
  const folder = makeFolder();
  const port = await freePort();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const names = ['-subj', '/CN=till', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names], { stdio: 'ignore' });
  const lines = [
    ...['[Globals]', 'ini_version=1', `port=tcp://.:${port}`, 'security_layer=tls', `certificate=${certificate}`, `key_file=${key}`],
    ...['fork=true', 'max_bpp=32', 'allow_channels=true', 'blue=009cb5'],
    ...['[Logging]', `LogFile=${join(folder, 'log')}`, 'LogLevel=INFO', 'EnableSyslog=false'],
    ...['[desktop]', 'name=desktop', 'lib=libvnc.so', 'ip=127.0.0.1', 'port=1', 'username=ask', 'password=ask'],
  ];
  writeFileSync(join(folder, 'xrdp.ini'), `${lines.join('\n')}\n`, { mode: 0o600 });
  return run('xrdp', ['--nodaemon', '--config', join(folder, 'xrdp.ini')], { port, folder });
}
