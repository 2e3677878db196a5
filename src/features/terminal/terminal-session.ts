import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import {
  TERMINAL_ACK_BYTES,
  TERMINAL_HOLD_SECONDS,
  type RemoteAnswer,
  type RemoteEnd,
  type RemoteQuestion,
} from '../../../schemas/kit/devices/remote-wire.ts';
import { beginRemote, openRemoteSocket, type RemoteSocket } from '../../engine/remote/remote-socket.ts';
import { type RemotePlace, endOfFailure } from '../../engine/remote/terms.ts';
import { ApiError } from '../../kernel/http/index.ts';
import { createStore, type Store } from '../../kernel/store.ts';
import { currentThemeMode } from '../../kernel/theme/mode.ts';
import { installInlineStyles } from './inline-styles.ts';
import { terminalSettings } from './settings.ts';
import { terminalColors } from './colors.ts';
import { isTyped } from './typed.ts';

/** connecting → asking → open → lost (for half a minute) → open … → ended */
export interface TerminalState {
  phase: 'connecting' | 'asking' | 'open' | 'lost' | 'ended';
  question?: { question: RemoteQuestion; answer(answer: RemoteAnswer): void };
  end?: { reason: RemoteEnd | 'lost' | 'refused-call'; detail?: string; code?: number };
  recorded: boolean;
  warnings: readonly string[];
  /** What the remote side calls its window. */
  title: string;
}

export interface TerminalEntry {
  place: RemotePlace;
  name: string;
  detail: string;
}

const SCROLLBACK_LINES = 10_000;
const TITLE_LIMIT = 60;
const RECONNECT_MS = 1000;
const encoder = new TextEncoder();
const START: TerminalState = { phase: 'connecting', recorded: false, warnings: [], title: '' };

/** A terminal and its session, outside React: tabs and splits move it about. */
export class TerminalSession {
  readonly id = crypto.randomUUID();
  readonly entry: TerminalEntry;
  readonly state: Store<TerminalState> = createStore<TerminalState>(START);
  readonly terminal: Terminal;
  readonly search = new SearchAddon();
  readonly #fit = new FitAddon();
  readonly #box = document.createElement('div');
  #socket: RemoteSocket | undefined;
  #resume: string | undefined;
  #received = 0;
  #drawn = 0;
  #lostAt = 0;
  #isClosed = false;
  /** Where typing goes besides, while it goes to all sessions. */
  onTyped: ((text: string) => void) | undefined;
  /** Changes what is typed, such as a Ctrl that was pressed on the screen. */
  transform: ((text: string) => string) | undefined;
  /** The person wants out of the terminal by keyboard. */
  onLeave: (() => void) | undefined;
  onSearch: (() => void) | undefined;

  constructor(entry: TerminalEntry) {
    this.entry = entry;
    const { fontSize, screenReader, colors } = terminalSettings.get();
    installInlineStyles();
    this.terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: true,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono'),
      fontSize,
      scrollback: SCROLLBACK_LINES,
      screenReaderMode: screenReader,
      theme: terminalColors(colors, currentThemeMode()),
    });
    this.terminal.loadAddon(this.#fit);
    this.terminal.loadAddon(this.search);
    this.terminal.loadAddon(new WebLinksAddon((_event, address) => window.open(address, '_blank', 'noopener,noreferrer')));
    this.terminal.attachCustomKeyEventHandler((event) => this.#takeKey(event));
    this.terminal.onData((text) => (isTyped(text) ? this.type(this.transform?.(text) ?? text) : this.send(text)));
    this.terminal.onBinary((text) => this.#send(Uint8Array.from(text, (character) => character.charCodeAt(0))));
    this.terminal.onResize(({ cols, rows }) => this.#socket?.send({ type: 'resize', cols, rows }));
    this.terminal.onTitleChange((title) => this.#patch({ title: title.replaceAll(/\p{C}/gu, '').slice(0, TITLE_LIMIT) }));
    this.#box.style.height = '100%';
    void this.#connect();
  }

  /** Puts the terminal into an element; it stays as it is when it moves to another. */
  attach(element: HTMLElement): () => void {
    element.append(this.#box);
    if (!this.terminal.element) this.terminal.open(this.#box);
    const observer = new ResizeObserver(() => this.fit());
    observer.observe(element);
    this.fit();
    return () => {
      observer.disconnect();
      this.#box.remove();
    };
  }

  fit(): void {
    if (this.#box.isConnected && this.#box.clientWidth > 0) this.#fit.fit();
  }

  /** Sends what was typed here, and to the others while it goes to all. */
  type(text: string): void {
    this.send(text);
    this.onTyped?.(text);
  }

  /** Sends text to this session alone. */
  send(text: string): void {
    this.#send(encoder.encode(text));
  }

  /** Text of the clipboard, marked as pasted where the shell wants that. */
  paste(text: string): void {
    this.terminal.paste(text);
  }

  reconnect(): void {
    this.#resume = undefined;
    this.#received = 0;
    this.terminal.reset();
    this.state.set({ ...START });
    void this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
    this.terminal.dispose();
    this.#box.remove();
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.state.get().phase === 'open') this.#socket?.sendBytes(bytes);
  }

  #patch(change: Partial<TerminalState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }

  async #connect(): Promise<void> {
    try {
      const ticket = await beginRemote(this.entry.place);
      if (this.#isClosed) return;
      this.#patch({ recorded: ticket.recorded });
      this.#open(ticket);
    } catch (error) {
      if (this.#resume !== undefined && error instanceof ApiError && error.kind !== 'answer') return this.#lose();
      this.#end(endOfFailure(error));
    }
  }

  #open(ticket: { url: string }): void {
    const { cols, rows } = this.terminal;
    const hello = { cols, rows, ...(this.#resume === undefined ? {} : { resume: this.#resume, received: this.#received }) };
    this.#socket = openRemoteSocket(ticket, hello, {
      onQuestion: (question, answer) => {
        this.#patch({
          phase: 'asking',
          question: {
            question,
            answer: (given) => {
              this.#patch({ phase: 'connecting', question: undefined });
              answer(given);
            },
          },
        });
      },
      onMessage: (message) => {
        if (message.type !== 'open') return;
        // Another shell than before, or one of which something is missing.
        if (this.#resume !== undefined && (message.resume !== this.#resume || message.from !== this.#received)) this.terminal.reset();
        this.#resume = message.resume;
        this.#received = message.from ?? 0;
        this.#patch({ phase: 'open', question: undefined, end: undefined, recorded: message.recorded, warnings: message.warnings ?? [] });
        this.#socket?.send({ type: 'resize', cols: this.terminal.cols, rows: this.terminal.rows });
        this.terminal.focus();
      },
      onBytes: (bytes) => this.#draw(bytes),
      onEnd: (end) => (end.reason === 'lost' && this.#resume !== undefined ? this.#lose() : this.#end(end)),
    });
  }

  /** The server sends more only after this is acknowledged: what grows otherwise is the queue of the terminal. */
  #draw(bytes: Uint8Array): void {
    const socket = this.#socket;
    this.#received += bytes.length;
    this.terminal.write(bytes, () => {
      this.#drawn += bytes.length;
      if (this.#drawn < TERMINAL_ACK_BYTES) return;
      socket?.send({ type: 'ack', bytes: this.#drawn });
      this.#drawn = 0;
    });
  }

  #lose(): void {
    if (this.#isClosed) return;
    const { phase } = this.state.get();
    if (phase !== 'lost') this.#lostAt = Date.now();
    this.#drawn = 0;
    if (Date.now() - this.#lostAt > TERMINAL_HOLD_SECONDS * 1000) return this.#end({ reason: 'lost' });
    this.#patch({ phase: 'lost', question: undefined });
    setTimeout(() => {
      if (!this.#isClosed && this.state.get().phase === 'lost') void this.#connect();
    }, RECONNECT_MS);
    return undefined;
  }

  #end(end: NonNullable<TerminalState['end']>): void {
    this.#socket = undefined;
    this.#resume = undefined;
    this.#patch({ phase: 'ended', end, question: undefined });
  }

  /** The few keys that are ours; all others belong to the remote side. */
  #takeKey(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown') return true;
    const key = event.key.toLowerCase();
    const run = (work: () => void): boolean => {
      event.preventDefault();
      work();
      return false;
    };
    if (event.ctrlKey && event.key === 'F6') return run(() => this.onLeave?.());
    if (!event.ctrlKey || !event.shiftKey) return true;
    if (key === 'c') return run(() => void this.copy());
    if (key === 'v') return run(() => void this.pasteClipboard());
    if (key === 'f') return run(() => this.onSearch?.());
    return true;
  }

  async copy(): Promise<boolean> {
    const text = this.terminal.getSelection();
    if (text === '') return false;
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }

  async pasteClipboard(): Promise<boolean> {
    try {
      this.paste(await navigator.clipboard.readText());
      this.terminal.focus();
      return true;
    } catch {
      return false;
    }
  }
}
