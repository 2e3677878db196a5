import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { RemoteProtocol } from '../../db/remote-tables.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { SECOND } from '../../kernel/clock.ts';
import type { TargetResult } from '../jobs/types.ts';

export type RemoteKind = RemoteProtocol;

/** Where a connection goes, as the device sees it: an IP address, 127.0.0.1 for the device itself. */
export interface RemoteTarget {
  host: string;
  port: number;
}

/** How a target is reached: by the first way that leads there, or by one way alone: the address that the device has in a VPN hub, or its tunnel. */
export type RemoteWay = 'auto' | 'vpn' | 'tunnel';

/** A device as carriers need it. */
export interface RemoteDevice {
  id: number;
  name: string;
  company_id: number;
  device_key: string;
  wan_ip: string | null;
  lan_ip: string | null;
}

/** Why a device or something behind it could not be reached; `reason` is one of the texts `remote.reasons.*`. */
export class RemoteError extends Error {
  override name = 'RemoteError';
  readonly reason: 'refused-address' | 'no-way' | 'no-vpn' | 'offline' | 'too-slow' | 'no-ssh' | 'refused' | 'closed';

  constructor(reason: RemoteError['reason'], options: { cause?: unknown; detail?: string } = {}) {
    super(options.detail ?? reason, { cause: options.cause });
    this.reason = reason;
  }
}

/** How long a service may take to answer once the way to its device is open. */
export const ANSWER_WITHIN_MS = 20 * SECOND;

/** A way to devices. */
export interface Carrier {
  name: string;
  /** Tried after tunnels, not before them. */
  comesLast?: true;
  /** How long it may take until the way to the device is open. */
  withinMs: number;
  /** A connection to the target, or undefined where this way does not lead to the device. Throws RemoteError. */
  open(device: RemoteDevice, target: RemoteTarget, signal: AbortSignal): Promise<Duplex | undefined>;
}

export interface Recording {
  /** `o` what the device printed, or what a desktop sent (RFB after its sign-in, from ServerInit on) · `i` what was typed · `r` a new size, `120x40`. */
  write(direction: 'o' | 'i' | 'r', data: Buffer | string): void;
}

/** One row in `remote_sessions`, while it is open. */
export interface RemoteSession {
  id: number;
  kind: RemoteKind;
  actor: Actor;
  device: { id: number; name: string; company_id: number };
  entry: { id: number; name: string; host: string; port: number; domain?: string; keyboard?: string; loginForm?: 'fill' | 'send' | 'off' };
  /** Text may be copied to the desktop and from it. */
  hasClipboard: boolean;
  /** Unix milliseconds: the session ends then, whatever happens in it. */
  expiresAt: number;
  /** A connection to the service, as often as wanted: bytes counted both ways, without delay for small writes, ended with the session. Throws RemoteError. */
  openStream(): Promise<Duplex>;
  /** What the entry has stored; it stays on the server. */
  credentials(): Promise<{ username?: string; password?: string } | undefined>;
  /** Called once, with why: `left`, `closed-by-user`, `killed`, `idle`, `expired`, `right-lost`, `device-moved`, `entry-removed`, `blocked`, `stopping`, … */
  onEnd(listener: (reason: string) => void): void;
  end(reason: string): void;
  /** Something was done in it: puts the idle limit off. Bytes of its streams do that by themselves. */
  touch(): void;
  /** Where terminals and desktops write, when the company wants recordings. */
  recording: Recording | undefined;
}

/** What a kind does with a browser that came with a ticket. `hello` is the first message of the socket, as JSON. */
export type RemoteHandler = (session: RemoteSession, socket: WebSocket, hello: unknown) => void | Promise<void>;

export interface KindOptions {
  /** `first-message` (default): the handler is called once the browser has sent JSON · `none`: at once, with undefined. */
  hello?: 'first-message' | 'none';
  /** Takes the place of the handler that a room has registered. Default: registering a kind twice is a mistake. */
  replaces?: true;
  /** Asked when the socket of a session closes: whether the session goes on, for a browser that lost its line and comes back. */
  outlives?(session: RemoteSession): boolean;
  /** Where the browser goes; `/remote/stream?ticket=…` unless this answers another address. */
  urlOf?(sessionId: number, ticket: string): string | Promise<string>;
}

/** What is asked for: one entry of one device. */
export interface SessionRequest {
  actor: Actor;
  origin: Origin;
  entryId: number;
  seconds: number;
  /** The link that gives the right, for those who have none of their own. */
  linkId?: number;
}

/** A session that waits for its browser. */
export interface OpenedSession {
  id: number;
  kind: RemoteKind;
  /** Used once, within 30 s, by the same person. */
  ticket: string;
  /** Where the browser goes: a page of its own for web pages, a WebSocket for everything else. */
  url: string;
  expires_at: number;
  recorded: boolean;
}

/** Devices and what is behind them, reached from the browser: one place for connections, sessions and their ends. */
export interface Remote {
  /** What is done with sessions of a kind; one that nobody registered cannot be opened. */
  registerKind(kind: RemoteKind, handler: RemoteHandler, options?: KindOptions): void;
  hasKind(kind: RemoteKind): boolean;
  /** Adds a way to devices; the first that leads there is taken, tunnels before direct connections. */
  addCarrier(carrier: Carrier): void;
  /** A connection from the device to an address that the guard lets through. Throws RemoteError. */
  openStream(device: RemoteDevice, target: RemoteTarget & { way?: RemoteWay }): Promise<Duplex>;
  /** Makes a session and its ticket. Throws NOT_FOUND, FORBIDDEN and what limits say. */
  begin(request: SessionRequest): Promise<OpenedSession>;
  /** The session of a ticket, which is used up with this; undefined for a wrong one. Without an actor the ticket alone counts, for pages at another host. */
  enter(ticket: string, actor: Actor | undefined): Promise<RemoteSession | undefined>;
  /** Ends sessions, also those that another process holds. */
  end(sessionIds: readonly number[], reason: string): Promise<void>;
  /** What devices say of tunnels, among the results of commands; others are left alone. */
  takeResults(results: readonly TargetResult[]): void;
  /** How many sessions this process holds. */
  liveCount(): number;
}
