import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { generate, type Packet } from 'mqtt-packet';
import { PacketReader } from './packet-reader.ts';

export interface Address {
  host: string;
  port: number;
  tls: boolean;
}

export interface Session {
  address: Address;
  key: string;
  password: string;
  keepaliveSeconds: number;
  onReady: () => void;
  onCommand: (payload: Buffer) => void;
  /** Once, for whatever reason; `refused` when the server did not accept the credentials or the subscription. */
  onClosed: (refused: boolean) => void;
}

const CONNECT_SECONDS = 30;
const MAX_MESSAGE_ID = 65_535;

// One buffer to read all sockets: what outlives the call is copied out, so ten thousand idle sockets hold no 64 KB each.
const readBuffer = Buffer.alloc(64 * 1024);

/**
 * A device's MQTT 3.1.1 session. It speaks only what the device protocol needs:
 * a full client (mqtt.js 5) was measured at 62 KB of memory each, a whole simulated device with this at about 21.
 */
export class MqttConnection {
  isReady = false;
  lastSentAt = Date.now();
  private readonly session: Session;
  private readonly socket: Socket;
  private readonly reader = new PacketReader((packet) => this.receive(packet));
  private readonly acknowledged = new Map<number, () => void>();
  private messageId = 1;
  private refused = false;

  constructor(session: Session) {
    this.session = session;
    const { host, port, tls } = session.address;
    const onread = {
      buffer: readBuffer,
      callback: (size: number) => {
        this.read(readBuffer.subarray(0, size));
        return true;
      },
    };
    // TLS sockets do not take `onread`.
    if (tls) this.socket = connectTls({ host, port, servername: host }).on('data', (chunk) => this.read(chunk));
    else this.socket = connectTcp({ host, port, onread, noDelay: true });
    this.socket.setTimeout(CONNECT_SECONDS * 1000, () => this.socket.destroy());
    this.socket.once(tls ? 'secureConnect' : 'connect', () => this.sendConnect());
    this.socket.on('error', () => {});
    this.socket.once('close', () => {
      this.isReady = false;
      session.onClosed(this.refused);
    });
  }

  /** Publishes with QoS 1; `then` runs when the server has it. */
  publish(topic: string, payload: string | Buffer, then?: () => void): void {
    if (!this.isReady) return;
    this.messageId = (this.messageId % MAX_MESSAGE_ID) + 1;
    if (then !== undefined) this.acknowledged.set(this.messageId, then);
    const id = this.messageId;
    this.send({ cmd: 'publish', topic: `canopy/${this.session.key}/${topic}`, payload, qos: 1, messageId: id, dup: false, retain: false });
  }

  ping(): void {
    if (this.isReady) this.send({ cmd: 'pingreq' });
  }

  /** Says goodbye, so that the server sends no will. */
  close(): void {
    if (this.isReady) this.send({ cmd: 'disconnect' });
    this.socket.end();
    this.socket.destroySoon();
  }

  /** Breaks off, as a power cut would. */
  drop(): void {
    this.socket.destroy();
  }

  private send(packet: Packet): void {
    this.lastSentAt = Date.now();
    this.socket.write(generate(packet));
  }

  private read(chunk: Buffer): void {
    try {
      this.reader.read(chunk);
    } catch {
      this.socket.destroy();
    }
  }

  private sendConnect(): void {
    const { key, password, keepaliveSeconds } = this.session;
    this.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: key,
      username: key,
      password: Buffer.from(password),
      keepalive: keepaliveSeconds,
      will: { topic: `canopy/${key}/up/status`, payload: Buffer.from('{"online":false}'), qos: 1, retain: false },
    });
  }

  private receive(packet: Packet): void {
    if (packet.cmd === 'connack') {
      if (packet.returnCode !== 0) return this.refuse();
      this.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `canopy/${this.session.key}/down/command`, qos: 1 }] });
    } else if (packet.cmd === 'suback') {
      if (packet.granted[0] === 128) return this.refuse();
      this.socket.setTimeout(0);
      this.isReady = true;
      this.session.onReady();
    } else if (packet.cmd === 'publish') {
      if (packet.qos === 1 && packet.messageId !== undefined) this.send({ cmd: 'puback', messageId: packet.messageId });
      this.session.onCommand(Buffer.from(packet.payload));
    } else if (packet.cmd === 'puback' && packet.messageId !== undefined) {
      this.acknowledged.get(packet.messageId)?.();
      this.acknowledged.delete(packet.messageId);
    }
  }

  private refuse(): void {
    this.refused = true;
    this.socket.destroy();
  }
}
