import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What the line does: `good`; `slow`: each piece takes `SLOW_MS` longer; `held`: nothing gets through, and comes when the line is good again, as
 * TCP has it; `cut`: what was open ends, nobody is let in.
 */
export type LineState = 'good' | 'slow' | 'held' | 'cut';

interface Connection {
  near: Socket;
  far: Socket | undefined;
  /** It carries a web socket. */
  isLive: boolean;
  /** Its far end is gone, and its near end does not know. */
  isDeaf: boolean;
}

const SLOW_MS = 300;
const UPGRADE = /^Upgrade: websocket/im;

/** A line between somebody and a server, which can be made bad. */
export class BadLine implements AsyncDisposable {
  private state: LineState = 'good';
  private readonly server: Server;
  private readonly connections = new Set<Connection>();
  /** The port of the server at the far end; to be set before anybody comes. */
  farPort = 0;

  private constructor(server: Server) {
    this.server = server;
    server.on('connection', (near) => this.open(near));
  }

  /** A line whose near end is a port of its own on loopback. */
  static async start(): Promise<BadLine> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new BadLine(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  set(state: LineState): void {
    this.state = state;
    for (const connection of this.connections) {
      if (state === 'cut') connection.near.destroy();
      else if (state === 'held') this.pause(connection);
      else this.resume(connection);
    }
  }

  /** Ends the web sockets at their far ends without a word to the near ones; gives how many. */
  deafen(): number {
    const live = [...this.connections].filter((connection) => connection.isLive && !connection.isDeaf);
    for (const connection of live) {
      connection.isDeaf = true;
      connection.far?.destroy();
    }
    return live.length;
  }

  private open(near: Socket): void {
    if (this.state === 'cut') {
      near.destroy();
      return;
    }
    const connection: Connection = { near, far: undefined, isLive: false, isDeaf: false };
    this.connections.add(connection);
    near.on('error', () => undefined);
    near.on('close', () => {
      connection.far?.destroy();
      this.connections.delete(connection);
    });
    near.pause();
    if (this.state !== 'held') this.resume(connection);
  }

  private pause({ near, far }: Connection): void {
    near.pause();
    far?.pause();
  }

  private resume(connection: Connection): void {
    connection.far ??= this.reach(connection);
    connection.near.resume();
    connection.far.resume();
  }

  private reach(connection: Connection): Socket {
    const { near } = connection;
    const far = connect(this.farPort, '127.0.0.1');
    far.on('error', () => undefined);
    far.on('close', () => {
      if (!connection.isDeaf) near.destroy();
    });
    near.on('data', (piece: Buffer) => {
      connection.isLive ||= UPGRADE.test(piece.toString('latin1'));
      if (!connection.isDeaf) this.pass(piece, far);
    });
    far.on('data', (piece: Buffer) => this.pass(piece, near));
    return far;
  }

  private pass(piece: Buffer, to: Socket): void {
    if (this.state === 'slow') setTimeout(() => to.write(piece), SLOW_MS);
    else to.write(piece);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.set('cut');
    this.server.close();
    await once(this.server, 'close');
  }
}
