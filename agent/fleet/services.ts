import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import ssh2 from 'ssh2';
import type { Identity as Whole } from './models.ts';
import { makeSshKey } from './ssh-key.ts';

/** What services say of their device. */
type Identity = Pick<Whole, 'serial' | 'mac' | 'firmware' | 'model'>;

const DO_NOT_ECHO = Buffer.from([255, 251, 1, 255, 251, 3]);
const CTRL_C = 3;
const CTRL_D = 4;
const BACKSPACE = 127;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

function pageOf(identity: Identity, address: string, user: string | undefined): string {
  const title = `${escaped(identity.model.name)} ${escaped(identity.serial)}`;
  const form = user
    ? `<p>Signed in as <b>${escaped(user)}</b>. <a href="/logout">Sign out</a></p>`
    : '<form method="post" action="/login"><label>User <input name="username" autocomplete="off"></label> <label>Password <input name="password" type="password"></label> <button>Sign in</button></form>';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="stylesheet" href="/style.css"><main><h1>${title}</h1><p class="mark">Simulated device</p>
<dl><dt>Firmware</dt><dd>${escaped(identity.firmware)}</dd><dt>MAC</dt><dd>${escaped(identity.mac)}</dd><dt>Address</dt><dd>${escaped(address)}</dd></dl>${form}</main></html>`;
}

const STYLE =
  'body{font:15px system-ui;margin:0;background:#f2f4f7;color:#1c2430}main{max-width:36rem;margin:3rem auto;padding:2rem;background:#fff;border-radius:8px}' +
  '.mark{display:inline-block;padding:.2rem .6rem;background:#e7f0ff;border-radius:4px}dl{display:grid;grid-template-columns:8rem 1fr;gap:.4rem}dd{margin:0}';

/** A page with a sign-in, a cookie and absolute addresses, as devices have. */
function webServer(identity: Identity, address: string): Server {
  return createServer((request, response) => {
    const signedIn = /(?:^|; )sim_session=([\w.%-]+)/.exec(request.headers.cookie ?? '')?.[1];
    if (request.url === '/style.css') {
      response.writeHead(200, { 'content-type': 'text/css' }).end(STYLE);
    } else if (request.method === 'POST' && request.url === '/login') {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        if (body.length < 4096) body += chunk.toString();
      });
      request.on('end', () => {
        const user = new URLSearchParams(body).get('username') || 'admin';
        const cookie = `sim_session=${encodeURIComponent(user).replace(/[!'()*]/g, '')}; Path=/; HttpOnly; SameSite=Strict`;
        response.writeHead(302, { location: `http://${request.headers.host ?? address}/`, 'set-cookie': cookie }).end();
      });
    } else if (request.url === '/logout') {
      response.writeHead(302, { location: '/', 'set-cookie': 'sim_session=; Path=/; Max-Age=0' }).end();
    } else {
      const user = signedIn === undefined ? undefined : decodeURIComponent(signedIn);
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY' })
        .end(pageOf(identity, address, user));
    }
  });
}

function answerOf(identity: Identity, line: string): string | undefined {
  const [command = '', ...rest] = line.trim().split(/\s+/);
  switch (command) {
    case '':
      return '';
    case 'exit':
    case 'logout':
      return undefined;
    case 'help':
      return 'help uname hostname uptime date cat echo exit\r\n';
    case 'uname':
      return 'Linux 5.15.150 armv7l\r\n';
    case 'hostname':
      return `${identity.serial}\r\n`;
    case 'uptime':
      return ' 09:14:02 up 12 days,  3:05,  load average: 0.12, 0.20, 0.18\r\n';
    case 'date':
      return `${new Date().toUTCString()}\r\n`;
    case 'echo':
      return `${rest.join(' ')}\r\n`;
    case 'cat':
      return rest[0] === '/etc/version' ? `${identity.firmware}\r\n` : `cat: can't open '${rest[0] ?? ''}': No such file or directory\r\n`;
    default:
      return `-ash: ${command}: not found\r\n`;
  }
}

/** A line editor of the plainest kind over a stream: echo, backspace, Ctrl-C and Ctrl-D. */
function runShell(identity: Identity, stream: Pick<Duplex, 'write' | 'on'>, end: () => void): void {
  const prompt = `root@${identity.serial}:~# `;
  let line = '';
  stream.write(`\r\n  ${identity.model.name} (simulated device)\r\n  Type help for what there is.\r\n\r\n${prompt}`);
  stream.on('data', (chunk: Buffer) => {
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index] ?? 0;
      // Of telnet: IAC and the two bytes after it.
      if (byte === 255) index += 2;
      else if (byte === CTRL_D) return end();
      else if (byte === CTRL_C) {
        line = '';
        stream.write(`^C\r\n${prompt}`);
      } else if (byte === BACKSPACE || byte === 8) {
        if (line !== '') stream.write('\b \b');
        line = line.slice(0, -1);
      } else if (byte === 13) {
        const answer = answerOf(identity, line);
        line = '';
        if (answer === undefined) return end();
        stream.write(`\r\n${answer}${prompt}`);
      } else if (byte >= 32 && line.length < 200) {
        line += String.fromCharCode(byte);
        stream.write(String.fromCharCode(byte));
      }
    }
    return undefined;
  });
}

const sshServers = new WeakMap<Identity, InstanceType<typeof ssh2.Server>>();

/** An SSH server without a port; any password lets in, as the banner says. */
function sshServer(identity: Identity): InstanceType<typeof ssh2.Server> {
  const known = sshServers.get(identity);
  if (known) return known;
  const server = new ssh2.Server(
    { hostKeys: [makeSshKey().privateKey], banner: 'A simulated device: any password lets you in.\r\n' },
    (client) => {
      client.on('error', () => client.end());
      client.on('authentication', (context) => (context.method === 'password' ? context.accept() : context.reject(['password'])));
      client.on('session', (accept) => {
        const session = accept();
        session.on('pty', (agree) => agree?.());
        session.on('window-change', (agree) => agree?.());
        session.on('shell', (agree) => {
          const channel = agree();
          runShell(identity, channel, () => {
            channel.exit(0);
            channel.end();
          });
        });
        session.on('exec', (agree, _reject, { command }) => {
          const channel = agree();
          channel.write(answerOf(identity, command) ?? '');
          channel.exit(0);
          channel.end();
        });
      });
    },
  );
  sshServers.set(identity, server);
  return server;
}

/** Serves a connection that came through a tunnel; false where the simulated device has nothing at that port. */
export function serveSimulated(
  identity: Identity,
  { address, servicePort }: { address: string; servicePort: number },
  accept: () => Duplex,
): boolean {
  if (servicePort === 80 || servicePort === 8080) {
    const stream = accept();
    stream.on('error', () => stream.destroy());
    // What an HTTP server asks of every socket.
    const same = (): Duplex => stream;
    const socket = Object.assign(stream, { setTimeout: same, setNoDelay: same, setKeepAlive: same, ref: same, unref: same });
    webServer(identity, address).emit('connection', socket);
    return true;
  }
  if (servicePort === 22) {
    const stream = accept();
    stream.on('error', () => stream.destroy());
    (sshServer(identity) as unknown as { injectSocket(socket: Duplex): void }).injectSocket(stream);
    return true;
  }
  if (servicePort === 23) {
    const stream = accept();
    stream.on('error', () => stream.destroy());
    stream.write(DO_NOT_ECHO);
    runShell(identity, stream, () => stream.end());
    return true;
  }
  return false;
}
