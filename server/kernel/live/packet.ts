import type { Socket } from 'socket.io';
import type { EventName } from '../../../schemas/_generated/contract.ts';
import { packetsWaiting, rawSocketOf } from './connection.ts';

/** `4`: a message of Engine.IO; the rest is Socket.IO's. */
const ENGINE_MESSAGE = '4';
/** `2`: an event of Socket.IO in the namespace `/`, followed by its arguments as JSON. */
const EVENT = '2';
const OPEN = 1;

const FINAL_TEXT_FRAME = 0x81;
const SHORT_LENGTH = 125;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;

/** An event as it travels, encoded once for all who get it. */
export interface Packet {
  /** As Engine.IO takes it. */
  text: string;
  /** As the wire takes it: one whole unmasked websocket frame. */
  frame: Buffer;
}

/** A text as one websocket frame of a server (RFC 6455, section 5.2). */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length <= SHORT_LENGTH ? 2 : length < 0x1_00_00 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = FINAL_TEXT_FRAME;
  if (header === 2) {
    frame[1] = length;
  } else if (header === 4) {
    frame[1] = LENGTH_IN_2_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_IN_8_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}

/** The packet of `socket.emit(event, channel, payloads)`; only for what has no binary in it. */
export function packetOf(event: EventName, channel: string, payloads: readonly object[]): Packet {
  const text = EVENT + JSON.stringify([event, channel, payloads]);
  return { text, frame: textFrame(ENGINE_MESSAGE + text) };
}

/**
 * Sends a packet to one follower. What Engine.IO keeps of each packet takes up to half of the time when there are thousands of them, so the
 * frame goes to the connection itself. Only behind packets that still wait in Engine.IO, it waits there, too: the order stays.
 */
export function deliver({ conn }: Socket, packet: Packet): void {
  if (packetsWaiting(conn) > 0) conn.send(packet.text);
  else if (rawSocketOf(conn)?.readyState === OPEN) conn.request.socket.write(packet.frame);
}
