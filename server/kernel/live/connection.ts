import type { Socket } from 'socket.io';

/** The part of the ws library's socket that says how far behind a reader is. */
interface RawSocket {
  bufferedAmount: number;
  /** 1: open. */
  readyState: number;
  terminate(): void;
  on(event: 'ping', listener: () => void): void;
}

/** A connection as Engine.IO holds it. */
export type Connection = Socket['conn'];

/** The websocket under a connection. */
export function rawSocketOf(connection: Connection): RawSocket | undefined {
  const transport: unknown = connection.transport;
  const raw: unknown = typeof transport === 'object' && transport !== null && 'socket' in transport ? transport.socket : undefined;
  return typeof raw === 'object' && raw !== null && 'bufferedAmount' in raw ? (raw as RawSocket) : undefined;
}

/** How many packets Engine.IO keeps until those before them have gone out. */
export function packetsWaiting(connection: Connection): number {
  // The type hides them.
  return (connection as unknown as { writeBuffer: unknown[] }).writeBuffer.length;
}
