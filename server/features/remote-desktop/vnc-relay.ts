import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Context } from '../../context.ts';
import { RemoteFault } from '../../domain/remote/ssh-client.ts';
import { createTalk, type Talk } from '../../domain/remote/console-exchange.ts';
import type { RemoteSession } from '../../domain/remote/types.ts';
import { BrowserHandshake, signInVnc } from './rfb.ts';
import { withoutClipboard } from './rfb-filter.ts';

const BUFFER_HIGH = 1024 * 1024;
const BUFFER_LOW = 256 * 1024;
const LOOK_EVERY_MS = 20;

/** Sends what the desktop says, as `take` gives it, and stops reading while the browser is behind. */
export function pipeToBrowser(
  ctx: Pick<Context, 'clock'>,
  stream: Duplex,
  talk: Pick<Talk, 'sendBytes' | 'bufferedAmount'>,
  take: (bytes: Buffer) => Buffer,
): void {
  let stopLooking: (() => void) | undefined;
  stream.on('data', (bytes: Buffer) => {
    const given = take(bytes);
    if (given.length > 0) talk.sendBytes(given);
    if (talk.bufferedAmount < BUFFER_HIGH || stopLooking) return;
    stream.pause();
    stopLooking = ctx.clock.every(LOOK_EVERY_MS, () => {
      if (talk.bufferedAmount > BUFFER_LOW) return;
      stopLooking?.();
      stopLooking = undefined;
      stream.resume();
    });
  });
  stream.on('close', () => stopLooking?.());
}

/** Writes what the browser sends, and stops taking it while the desktop is behind. */
export function writeFromBrowser(stream: Duplex, socket: WebSocket, bytes: Buffer): void {
  if (bytes.length === 0 || !stream.writable || stream.write(bytes)) return;
  socket.pause();
  stream.once('drain', () => socket.resume());
}

async function passwordOf(session: RemoteSession, talk: Talk): Promise<string> {
  const stored = (await session.credentials())?.password;
  if (stored !== undefined) return stored;
  const answer = await talk.ask({ kind: 'login', failed: false, takes_key: false, needs_username: false });
  if (answer === null || 'trust' in answer || 'answers' in answer) throw new RemoteFault('cancelled');
  return answer.password ?? '';
}

/** Hands the bytes of a desktop that is signed in on both ways; the browser shakes hands with the server. */
export function shareDesktop(
  ctx: Pick<Context, 'clock'>,
  {
    session,
    socket,
    talk,
    stream,
    hasFixedSize,
  }: { session: RemoteSession; socket: WebSocket; talk: Talk; stream: Duplex; hasFixedSize?: true },
): void {
  // From here on everything is the desktop's own protocol.
  let handshake: BrowserHandshake | undefined;
  // The screen of an RDP desktop has no clipboard then.
  const filter = session.hasClipboard || hasFixedSize ? undefined : withoutClipboard();
  talk.onBytes((bytes) => {
    try {
      const rest = handshake?.take(bytes) ?? Buffer.alloc(0);
      writeFromBrowser(stream, socket, filter?.fromBrowser(rest) ?? rest);
    } catch {
      session.end('failed');
    }
  });
  talk.send({
    type: 'open',
    recorded: session.recording !== undefined,
    ...(hasFixedSize ? { fixed_size: true } : {}),
    ...(session.hasClipboard ? {} : { no_clipboard: true }),
  });
  handshake = new BrowserHandshake((bytes) => talk.sendBytes(bytes));
  pipeToBrowser(ctx, stream, talk, (bytes) => {
    try {
      const given = filter?.fromDesktop(bytes) ?? bytes;
      session.recording?.write('o', given);
      return given;
    } catch {
      session.end('failed');
      return Buffer.alloc(0);
    }
  });
  stream.on('close', () => session.end('ended'));
}

/** Serves a VNC desktop: signs in on the server, so that the password never reaches the browser, then hands the bytes on both ways. */
export async function relayVnc(ctx: Context, session: RemoteSession, socket: WebSocket): Promise<void> {
  const talk = createTalk(socket);
  try {
    const stream = await session.openStream().catch((error: unknown) => {
      throw new RemoteFault('unreachable', error instanceof Error ? error.message : '');
    });
    session.onEnd(() => stream.destroy());
    stream.on('error', () => undefined);
    await signInVnc(stream, () => passwordOf(session, talk));
    shareDesktop(ctx, { session, socket, talk, stream });
  } catch (error) {
    const fault = error instanceof RemoteFault ? error : new RemoteFault('protocol', error instanceof Error ? error.message : '');
    talk.sendEnd(fault.reason, fault.message);
    session.end('ended');
  }
}
