import {
  TERMINAL_HOLD_SECONDS,
  TERMINAL_RESUME_BYTES,
  TERMINAL_WINDOW_BYTES,
  type RemoteEnd,
} from '../../../schemas/kit/devices/remote-wire.ts';
import { SECOND, type Clock } from '../../kernel/clock.ts';
import type { Talk } from '../../domain/remote/console-exchange.ts';
import type { Shell, Size } from './shells.ts';

/** What a console that comes back may still need: more than can be under way. */
const RING_BYTES = 2 * TERMINAL_WINDOW_BYTES;
const SIZE_LIMIT = 1000;

const sizeOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= SIZE_LIMIT ? value : otherwise;

/** A size that a console has sent, within what terminals have. */
export function readSize(value: unknown): Size {
  const { cols, rows } = typeof value === 'object' && value !== null ? (value as Partial<Size>) : {};
  return { cols: sizeOf(cols, 80), rows: sizeOf(rows, 24) };
}

/** The latest bytes, with their place in everything that ever came. */
export class Ring {
  #parts: Buffer[] = [];
  #length = 0;
  /** All bytes so far. */
  total = 0;

  add(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    this.total += bytes.length;
    for (let first = this.#parts[0]; first && this.#length - first.length >= RING_BYTES; [first] = this.#parts) {
      this.#parts.shift();
      this.#length -= first.length;
    }
  }

  /** The bytes from a place on, or all that are kept when those are gone. */
  since(place: number): { from: number; bytes: Buffer } {
    const start = this.total - this.#length;
    const from = Math.min(Math.max(place, start), this.total);
    return { from, bytes: Buffer.concat(this.#parts).subarray(from - start) };
  }
}

const heldSessions = new Set<number>();

/** Whether the shell of a session waits for its console to come back. */
export const isHeld = (sessionId: number): boolean => heldSessions.has(sessionId);

export interface HeldOptions {
  /** Whose shell it is; it goes on without a console for a while. */
  sessionId: number;
  clock: Clock;
  shell: Shell;
  record(direction: 'i' | 'o' | 'r', data: Buffer | string): void;
  /** The shell has ended, or nobody came back in time. */
  onOver(reason: RemoteEnd): void;
}

interface Attachment {
  /** Bytes of the shell that the console has already. */
  received: number;
  size: Size;
  opened(from: number): void;
  /** Ends the session that this console came with. */
  endSession(): void;
}

/**
 * A shell and the console in front of it. `attached → detached (the line is lost; the shell waits) → attached …  → over`. The remote side is paused while the
 * console has more to draw than TERMINAL_WINDOW_BYTES: pressure on the socket alone is not enough, because what grows is the terminal's own queue.
 */
export class HeldShell {
  readonly #options: HeldOptions;
  readonly #ring = new Ring();
  #talk: Talk | undefined;
  #endSession: () => void = () => undefined;
  #acknowledged = 0;
  #isPaused = false;
  #isOver = false;
  #stopWaiting: (() => void) | undefined;

  constructor(options: HeldOptions) {
    this.#options = options;
    heldSessions.add(options.sessionId);
    options.shell.listen({
      onData: (bytes) => this.#takeOutput(bytes),
      onClose: (code) => this.end('closed', code),
    });
  }

  /** Puts a console in front of the shell, in the place of the one before. */
  attach(talk: Talk, { received, size, opened, endSession }: Attachment): void {
    if (this.#isOver) return talk.close();
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    this.#talk?.close();
    this.#talk = talk;
    this.#endSession = endSession;
    const { from, bytes } = this.#ring.since(received);
    this.#acknowledged = from;
    opened(from);
    if (bytes.length > 0) talk.sendBytes(bytes);
    talk.onBytes((typed) => {
      this.#options.record('i', typed);
      this.#options.shell.write(typed);
    });
    talk.onMessage((message) => {
      if (message.type === 'ack') this.#acknowledge(message.bytes);
      else if (message.type === 'resize') this.#resize(readSize(message));
    });
    talk.onClose(() => this.#detach(talk));
    this.#resize(size);
    this.#balance();
  }

  end(reason: RemoteEnd, code?: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    heldSessions.delete(this.#options.sessionId);
    this.#stopWaiting?.();
    this.#talk?.sendEnd(reason, undefined, code);
    this.#talk = undefined;
    this.#options.shell.close();
    this.#endSession();
    this.#options.onOver(reason);
  }

  #takeOutput(bytes: Buffer): void {
    this.#ring.add(bytes);
    this.#options.record('o', bytes);
    this.#talk?.sendBytes(bytes);
    this.#balance();
  }

  #acknowledge(bytes: unknown): void {
    if (typeof bytes !== 'number' || !(bytes > 0)) return;
    this.#acknowledged = Math.min(this.#acknowledged + bytes, this.#ring.total);
    this.#balance();
  }

  #balance(): void {
    const waiting = this.#ring.total - this.#acknowledged;
    if (!this.#isPaused && waiting > TERMINAL_WINDOW_BYTES) {
      this.#isPaused = true;
      this.#options.shell.pause();
    } else if (this.#isPaused && waiting < TERMINAL_RESUME_BYTES) {
      this.#isPaused = false;
      this.#options.shell.resume();
    }
  }

  #resize({ cols, rows }: Size): void {
    this.#options.record('r', `${cols}x${rows}`);
    this.#options.shell.resize(cols, rows);
  }

  #detach(talk: Talk): void {
    if (this.#talk !== talk || this.#isOver) return;
    this.#talk = undefined;
    this.#stopWaiting = this.#options.clock.after(TERMINAL_HOLD_SECONDS * SECOND, () => this.end('timeout'));
  }
}
