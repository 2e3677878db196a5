import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

// A console as the wire sees it. The usual client decodes every packet, which would make this process the slowest part of the measurement.

const TEXT_FRAME = 0x81;
const MASKED = 0x80;

const NOTHING = Buffer.alloc(0);
/** All consoles read into this one, in turn: each is done with it before the next begins. */
const read = Buffer.alloc(0x1_00_00);

function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  if (payload.length > 125) throw new Error('Only short frames are sent');
  const mask = randomBytes(4);
  for (let index = 0; index < payload.length; index += 1) payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return Buffer.concat([Buffer.from([TEXT_FRAME, MASKED | payload.length]), mask, payload]);
}

/** The end of the first frame in the bytes and where its payload begins; undefined while it is not all there. */
function frameAt(bytes: Buffer, start: number): { body: number; end: number } | undefined {
  if (bytes.length < start + 2) return undefined;
  const short = (bytes[start + 1] ?? 0) & 127;
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  const body = start + 2 + lengthBytes;
  if (bytes.length < body) return undefined;
  const length = lengthBytes === 8 ? Number(bytes.readBigUInt64BE(start + 2)) : lengthBytes === 2 ? bytes.readUInt16BE(start + 2) : short;
  const end = body + length;
  return bytes.length < end ? undefined : { body, end };
}

/** Whether an event begins there, `42["…`, that is no answer to `subscribe`. */
function isChange(bytes: Buffer, start: number): boolean {
  return bytes[start] === 0x34 && bytes[start + 1] === 0x32 && bytes[start + 4] !== 0x73;
}

function handshake(url: URL, headers: Record<string, string>): string {
  const lines = Object.entries({
    host: url.host,
    origin: url.origin,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    cookie: headers['cookie'] ?? '',
  }).map(([name, value]) => `${name}: ${value}`);
  return `GET /status/socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Connects, follows the channels, and hands each packet with a change to `onChange`: the bytes, for as long as it runs, and where it begins. Resolves once all channels are followed. */
export function openConsole(
  server: string,
  headers: Record<string, string>,
  channels: readonly string[],
  onChange: (bytes: Buffer, start: number) => void,
): Promise<Socket> {
  const url = new URL(server);
  return new Promise((resolve, reject) => {
    const socket = connect(
      { port: Number(url.port), host: url.hostname, onread: { buffer: read, callback: (size) => receive(size) } },
      () => socket.write(handshake(url, headers)),
    );
    let pending: Buffer = NOTHING;
    let isOpen = false;
    let followed = 0;
    const take = (packet: Buffer): void => {
      const kind = packet.toString('latin1', 0, 16);
      if (kind.startsWith('0')) socket.write(textFrame('40'));
      else if (kind === '2') socket.write(textFrame('3'));
      else if (kind.startsWith('40')) for (const channel of channels) socket.write(textFrame(`42["subscribe","${channel}"]`));
      else if (kind.startsWith('42["subscribed"')) {
        followed += 1;
        if (followed === channels.length) resolve(socket);
      } else if (kind.startsWith('42["subscription')) reject(new Error(packet.toString()));
    };
    const receive = (size: number): boolean => {
      const chunk = read.subarray(0, size);
      let bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      if (!isOpen) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end === -1) {
          pending = Buffer.from(bytes);
          return true;
        }
        if (!bytes.toString('latin1', 0, 12).endsWith('101')) reject(new Error(bytes.toString('latin1', 0, end)));
        isOpen = true;
        bytes = bytes.subarray(end + 4);
      }
      let start = 0;
      for (let frame = frameAt(bytes, start); frame; frame = frameAt(bytes, start)) {
        if (isChange(bytes, frame.body)) onChange(bytes, frame.body);
        else take(bytes.subarray(frame.body, frame.end));
        start = frame.end;
      }
      pending = start === bytes.length ? NOTHING : Buffer.from(bytes.subarray(start));
      return true;
    };
    socket.on('error', reject);
  });
}
