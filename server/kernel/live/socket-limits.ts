import type { Socket } from 'socket.io';

const PACKETS_PER_WINDOW = 100;
const WINDOW_MS = 10_000;
const MAX_BUFFERED_BYTES = 1024 * 1024;
const MAX_BUFFERED_PACKETS = 200;
// Packets of Socket.IO that carry binary attachments: `51-["x",…]`, `61-…`
const BINARY_PACKET = /^[56]/;

/** The part of the ws library's socket that says how far behind a reader is. */
interface RawSocket {
  bufferedAmount: number;
  /** 1: open. */
  readyState: number;
  terminate(): void;
  on(event: 'ping', listener: () => void): void;
}

/** A connection as Engine.IO holds it. */
type Connection = Socket['conn'];

/** The websocket under a connection. */
function rawSocketOf(connection: Connection): RawSocket | undefined {
  const transport: unknown = connection.transport;
  const raw: unknown = typeof transport === 'object' && transport !== null && 'socket' in transport ? transport.socket : undefined;
  return typeof raw === 'object' && raw !== null && 'bufferedAmount' in raw ? (raw as RawSocket) : undefined;
}

/** How many packets Engine.IO keeps until those before them have gone out. */
function packetsWaiting(connection: Connection): number {
  // The type hides them.
  return (connection as unknown as { writeBuffer: unknown[] }).writeBuffer.length;
}

/** Ends the connection without waiting for the other side, which may not read. */
export function cutOff(connection: Connection): void {
  const raw = rawSocketOf(connection);
  connection.close(true);
  raw?.terminate();
}

/** Whether the connection is still open, perhaps waiting for the other side to close its end. */
export function isOpen(connection: Connection): boolean {
  const CLOSED = 3;
  return (rawSocketOf(connection)?.readyState ?? CLOSED) !== CLOSED;
}

/** Ends a connection that floods the server with packets or pings, or sends binary, from its opening on: nobody is known yet. */
export function limitConnection(connection: Connection): void {
  let count = 0;
  let windowEndsAt = 0;
  const countOne = (): void => {
    const now = performance.now();
    if (now > windowEndsAt) {
      count = 0;
      windowEndsAt = now + WINDOW_MS;
    }
    count += 1;
    if (count > PACKETS_PER_WINDOW) cutOff(connection);
  };
  connection.on('packet', (packet: { data?: unknown }) => {
    const isBinary = packet.data !== undefined && (typeof packet.data !== 'string' || BINARY_PACKET.test(packet.data));
    if (isBinary) cutOff(connection);
    else countOne();
  });
  rawSocketOf(connection)?.on('ping', countOne);
}

/** Whether a reader is so far behind that it must go: it reconnects and loads again, instead of filling the server's memory. */
export function isTooSlow(connection: Connection): boolean {
  return packetsWaiting(connection) > MAX_BUFFERED_PACKETS || (rawSocketOf(connection)?.bufferedAmount ?? 0) > MAX_BUFFERED_BYTES;
}
