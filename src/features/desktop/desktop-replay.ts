import RFB, { type RawChannel } from '@novnc/novnc';
import type { Replayed } from '../../engine/remote/use-replay-clock.ts';
import { createStore, type Store } from '../../kernel/store.ts';
import type { FramebufferStream } from './framebuffer-stream.ts';

export interface ReplayState {
  /** It is still being drawn up to the time that was asked for. */
  isBehind: boolean;
  /** What comes next is no picture that can be drawn. */
  hasFailed: boolean;
}

/** After so many bytes the page may do something else. */
const REST_AFTER_BYTES = 1024 * 1024;
const AGAIN_MS = 50;
const MOST_TRIES = 200;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** The desktop's end of a connection, which says what was recorded and hears nothing. */
class RecordedChannel implements RawChannel {
  binaryType = 'arraybuffer';
  protocol = '';
  readyState = 'open';
  onopen: RawChannel['onopen'] = null;
  onmessage: RawChannel['onmessage'] = null;
  onclose: RawChannel['onclose'] = null;
  onerror: RawChannel['onerror'] = null;

  send(): void {
    // Nobody is there who could answer.
  }

  close(): void {
    if (this.readyState === 'closed') return;
    this.readyState = 'closed';
    queueMicrotask(() => this.onclose?.({}));
  }

  say(bytes: Uint8Array<ArrayBuffer>): void {
    // A copy: what the channel gives is a buffer of its own.
    this.onmessage?.({ data: bytes.slice().buffer });
  }
}

/** Draws a recorded desktop up to a time, outside React; goes back by drawing it from its start. */
export class DesktopReplay implements Replayed {
  readonly state: Store<ReplayState> = createStore<ReplayState>({ isBehind: false, hasFailed: false });
  readonly #stream: FramebufferStream;
  readonly #target: HTMLElement;
  #shown: { rfb: RFB; channel: RecordedChannel } | undefined;
  #next = 0;
  #wanted = 0;
  #isDrawing = false;
  #isClosed = false;

  constructor(stream: FramebufferStream, target: HTMLElement) {
    this.#stream = stream;
    this.#target = target;
  }

  /** Shows the desktop as it was at a time, in seconds. */
  show(at: number): void {
    this.#wanted = at;
    const before = this.#stream.blocks[this.#next - 1];
    if (before && before.at > at) {
      this.#leave();
      this.state.set({ isBehind: true, hasFailed: false });
    }
    void this.#draw();
  }

  isBehind(): boolean {
    return this.state.get().isBehind;
  }

  wait(at: number): number {
    return (this.#stream.blocks[this.#next]?.at ?? at) - at;
  }

  close(): void {
    this.#isClosed = true;
    this.#leave();
  }

  #leave(): void {
    const shown = this.#shown;
    this.#shown = undefined;
    this.#next = 0;
    shown?.rfb.disconnect();
  }

  #enter(): { rfb: RFB; channel: RecordedChannel } {
    const channel = new RecordedChannel();
    const rfb = new RFB(this.#target, channel, { shared: true });
    rfb.viewOnly = true;
    rfb.scaleViewport = true;
    rfb.focusOnClick = false;
    rfb.background = 'transparent';
    rfb.addEventListener('disconnect', () => {
      if (this.#shown?.rfb === rfb) this.state.set({ isBehind: false, hasFailed: true });
    });
    this.#shown = { rfb, channel };
    return this.#shown;
  }

  async #draw(): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    let since = 0;
    for (let block = this.#due(); block; block = this.#due()) {
      const { channel } = this.#shown ?? this.#enter();
      this.#next += 1;
      if (!(await this.#say(channel, block.bytes))) {
        this.state.set({ isBehind: false, hasFailed: true });
        break;
      }
      since += block.bytes.length;
      if (since < REST_AFTER_BYTES) continue;
      since = 0;
      this.state.set({ ...this.state.get(), isBehind: true });
      await pause(0);
    }
    this.#isDrawing = false;
    if (this.state.get().isBehind) this.state.set({ ...this.state.get(), isBehind: false });
  }

  #due(): FramebufferStream['blocks'][number] | undefined {
    const block = this.#stream.blocks[this.#next];
    return !this.#isClosed && !this.state.get().hasFailed && block && block.at <= this.#wanted ? block : undefined;
  }

  /** Whether the bytes were taken. What no longer fits into the queue is refused, and taken a while later, when some of the queue is drawn. */
  async #say(channel: RecordedChannel, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    for (let tries = 0; tries < MOST_TRIES && this.#shown?.channel === channel; tries += 1) {
      try {
        channel.say(bytes);
        return true;
      } catch {
        await pause(AGAIN_MS);
      }
    }
    // Left meanwhile: the recording is drawn from its start.
    return this.#shown?.channel !== channel;
  }
}
