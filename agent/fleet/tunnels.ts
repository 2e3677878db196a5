import ssh2, { type Client } from 'ssh2';
import type { Identity } from './models.ts';
import type { Command, Result } from './protocol.ts';
import { serveSimulated } from './services.ts';
import { makeSshKey } from './ssh-key.ts';

const CONNECT_MS = 15_000;

interface Order {
  host: string;
  port: number;
  hostKey: string;
  key: string;
  bind: string;
  address: string;
  servicePort: number;
}

function readOrder(body: string): Order | undefined {
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(body)?.[1] ?? '';
  const order = {
    host: value('host'),
    port: Number(value('port')),
    hostKey: value('host_key'),
    key: value('key'),
    bind: value('bind'),
    address: value('address'),
    servicePort: Number(value('service_port')),
  };
  return order.host !== '' && order.port > 0 && /^t[a-z0-9]+$/.test(order.bind) && order.servicePort > 0 ? order : undefined;
}

/** The tunnels of a simulated device: real SSH to the server, and at their end services that say that they are simulated. */
export class Tunnels {
  private readonly identity: Identity;
  private readonly lanIp: string;
  private readonly user: () => string;
  private readonly clients = new Set<Client>();
  private keys: ReturnType<typeof makeSshKey> | undefined;

  constructor(identity: Identity, lanIp: string, user: () => string) {
    this.identity = identity;
    this.lanIp = lanIp;
    this.user = user;
  }

  /** Opens what a command asks for; `end` gets its final result, when the tunnel ends or at once when there is none. */
  open(command: Command, end: (result: Result) => void): void {
    const order = readOrder(command.body);
    if (!order) return end({ state: 'failed', code: 1, message: 'malformed command' });
    this.keys ??= makeSshKey();
    const { publicKey, privateKey } = this.keys;
    if (order.key !== publicKey) return end({ state: 'failed', code: 3, message: 'another key', output: `ssh-ed25519 ${publicKey}` });
    return this.connect(order, privateKey, end);
  }

  /** Which of these ports answer, on itself and on a camera behind it. */
  scan(body: string): Result {
    const ports = new Set((/^ports=([\d,]+)$/m.exec(body)?.[1] ?? '').split(','));
    const found = ['22', '23', '80'].filter((port) => ports.has(port)).map((port) => `127.0.0.1 ${port} - -`);
    if (ports.has('80')) found.push(`${this.lanIp.replace(/\d+$/, '50')} 80 00:40:8C:12:34:56 camera`);
    return { state: 'ok', code: 0, output: found.map((line) => `${line}\n`).join('') };
  }

  stop(): void {
    for (const client of this.clients) client.end();
  }

  private connect(order: Order, privateKey: string, end: (result: Result) => void): void {
    const client = new ssh2.Client();
    let isOpen = false;
    let isOver = false;
    const finish = (result: Result): void => {
      if (isOver) return;
      isOver = true;
      this.clients.delete(client);
      client.end();
      end(result);
    };
    this.clients.add(client);
    client.on('error', (error) => finish({ state: 'failed', code: 255, message: error.message.slice(0, 100) }));
    client.on('close', () =>
      finish(isOpen ? { state: 'ok', code: 0, message: 'Closed' } : { state: 'failed', code: 255, message: 'The tunnel ended' }),
    );
    client.on('ready', () => {
      client.setNoDelay(true);
      client.forwardIn(order.bind, order.servicePort, (error) => {
        if (error) finish({ state: 'failed', code: 255, message: error.message.slice(0, 100) });
        else isOpen = true;
      });
    });
    client.on('tcp connection', (_details, accept, reject) => {
      if (!serveSimulated(this.identity, order, accept)) reject();
    });
    client.connect({
      host: order.host,
      port: order.port,
      username: this.user(),
      privateKey,
      readyTimeout: CONNECT_MS,
      keepaliveInterval: CONNECT_MS,
      hostVerifier: (key: Buffer) => key.toString('base64') === order.hostKey,
    });
  }
}
