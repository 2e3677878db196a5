import RFB from '@novnc/novnc';
import type { RemoteAnswer, RemoteQuestion } from '../../../schemas/kit/devices/remote-wire.ts';
import type { SessionEnd } from '../../engine/remote/EndNotice.tsx';
import { beginRemote, openRemoteSocket } from '../../engine/remote/remote-socket.ts';
import { type RemotePlace, endOfFailure } from '../../engine/remote/terms.ts';
import { createStore, type Store } from '../../kernel/store.ts';

/** `fit`: scaled into the window · `remote`: the desktop takes the size of the window · `full`: as large as it is, scrolled. */
export type Scaling = 'fit' | 'remote' | 'full';

export interface DesktopState {
  phase: 'connecting' | 'asking' | 'open' | 'ended';
  question?: { question: RemoteQuestion; answer(answer: RemoteAnswer): void };
  end?: SessionEnd;
  scaling: Scaling;
  /** 0 to 9. */
  quality: number;
  isViewOnly: boolean;
  recorded: boolean;
  /** It keeps the size that it began with. */
  hasFixedSize: boolean;
  /** The server lets text be copied to it and from it. */
  hasClipboard: boolean;
  /** What was copied on the desktop last. */
  clipboard: string;
}

const START: DesktopState = {
  phase: 'connecting',
  scaling: 'fit',
  quality: 6,
  isViewOnly: false,
  recorded: false,
  hasFixedSize: false,
  hasClipboard: false,
  clipboard: '',
};
const CLIPBOARD_LIMIT = 100_000;

/** Keys by their X11 names' numbers, with the codes that keyboards give. */
export const KEYS = {
  control: [0xffe3, 'ControlLeft'],
  alt: [0xffe9, 'AltLeft'],
  meta: [0xffeb, 'MetaLeft'],
  tab: [0xff09, 'Tab'],
  escape: [0xff1b, 'Escape'],
  f4: [0xffc1, 'F4'],
  print: [0xff61, 'PrintScreen'],
} as const satisfies Record<string, readonly [number, string]>;
export type KeyName = keyof typeof KEYS;

/** Control characters that have keys of their own; the others are Ctrl and a letter. */
const NAMED_KEYS: Readonly<Record<string, number>> = { '\r': 0xff0d, '\t': 0xff09, '\u001b': 0xff1b, '\b': 0xff08 };

/** A VNC desktop and its session, outside React. */
export class VncSession {
  readonly state: Store<DesktopState> = createStore<DesktopState>(START);
  readonly #place: RemotePlace;
  #target: HTMLElement | undefined;
  #rfb: RFB | undefined;
  #isClosed = false;

  constructor(place: RemotePlace) {
    this.#place = place;
  }

  /** Begins once there is a place to draw in. */
  attach(target: HTMLElement): void {
    if (this.#target === target) return;
    this.#target = target;
    void this.#connect();
  }

  reconnect(): void {
    this.#patch({ phase: 'connecting', end: undefined });
    void this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#rfb?.disconnect();
  }

  leave(): void {
    this.#rfb?.blur();
  }

  /** Presses keys together, the last one first released. */
  press(names: readonly KeyName[]): void {
    for (const name of names) this.#rfb?.sendKey(KEYS[name][0], KEYS[name][1], true);
    for (const name of names.toReversed()) this.#rfb?.sendKey(KEYS[name][0], KEYS[name][1], false);
    this.#rfb?.focus();
  }

  /** Types text as a keyboard would, one key after the other. */
  typeText(text: string): void {
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      const named = NAMED_KEYS[character];
      if (named === undefined && code < 0x20) {
        this.#rfb?.sendKey(KEYS.control[0], KEYS.control[1], true);
        this.#rfb?.sendKey(code + 0x60, null);
        this.#rfb?.sendKey(KEYS.control[0], KEYS.control[1], false);
      } else this.#rfb?.sendKey(named ?? (code < 0x100 ? code : 0x1000000 + code), null);
    }
    this.#rfb?.focus();
  }

  sendCtrlAltDel(): void {
    this.#rfb?.sendCtrlAltDel();
    this.#rfb?.focus();
  }

  setClipboard(text: string): void {
    this.#rfb?.clipboardPasteFrom(text.slice(0, CLIPBOARD_LIMIT));
  }

  screenshot(): Promise<Blob | null> {
    return new Promise((resolve) => {
      if (this.#rfb) this.#rfb.toBlob(resolve, 'image/png');
      else resolve(null);
    });
  }

  change(change: Partial<Pick<DesktopState, 'scaling' | 'quality' | 'isViewOnly'>>): void {
    this.#patch(change);
    this.#apply();
  }

  #apply(): void {
    const rfb = this.#rfb;
    if (!rfb) return;
    const { scaling, quality, isViewOnly } = this.state.get();
    rfb.scaleViewport = scaling === 'fit';
    rfb.resizeSession = scaling === 'remote';
    rfb.clipViewport = false;
    rfb.qualityLevel = quality;
    rfb.viewOnly = isViewOnly;
    rfb.background = 'transparent';
  }

  #patch(change: Partial<DesktopState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }

  #end(end: SessionEnd): void {
    this.#rfb = undefined;
    if (!this.#isClosed) this.#patch({ phase: 'ended', end, question: undefined });
  }

  async #connect(): Promise<void> {
    try {
      const ticket = await beginRemote(this.#place);
      if (this.#isClosed) return;
      this.#patch({ recorded: ticket.recorded });
      const socket = openRemoteSocket(
        ticket,
        // A desktop that is made for the session takes the size of the window.
        { width: this.#target?.clientWidth, height: this.#target?.clientHeight },
        {
          onQuestion: (question, answer) =>
            this.#patch({
              phase: 'asking',
              question: {
                question,
                answer: (given) => {
                  this.#patch({ phase: 'connecting', question: undefined });
                  answer(given);
                },
              },
            }),
          onMessage: (message) => {
            if (message.type !== 'open') return;
            this.#patch({
              hasFixedSize: message.fixed_size === true,
              hasClipboard: message.no_clipboard !== true,
              recorded: message.recorded,
            });
            this.#open(socket.release());
          },
          onBytes: () => undefined,
          onEnd: (end) => this.#end(end),
        },
      );
    } catch (error) {
      this.#end(endOfFailure(error));
    }
  }

  #open(socket: WebSocket): void {
    if (!this.#target) return;
    const rfb = new RFB(this.#target, socket, { shared: true });
    this.#rfb = rfb;
    this.#apply();
    rfb.addEventListener('connect', () => {
      this.#patch({ phase: 'open', question: undefined });
      rfb.focus();
    });
    rfb.addEventListener('clipboard', (event) => {
      const { detail } = event as CustomEvent<{ text: string }>;
      this.#patch({ clipboard: detail.text.slice(0, CLIPBOARD_LIMIT) });
    });
  }
}
