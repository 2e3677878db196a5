import type { Duplex } from 'node:stream';

/** A place behind a device that its tunnel leads to. */
export interface Forward {
  /** A connection through it. Rejects when the device refuses it. */
  open(): Promise<Duplex>;
  /** Connections that are open now. */
  count(): number;
  /** Unix milliseconds: when something was last open in it. */
  lastUsedAt(): number;
  /** Called once, when the device is gone or `close` was called. */
  onClose(listener: () => void): void;
  close(): void;
}

/** What a device may ask of the hub: one forward with this name, signed in with this key. */
export interface ExpectedForward {
  /** The address that the device asks to be listened on: a name that was sent to it alone. */
  bind: string;
  deviceKey: string;
  /** The base64 part of its OpenSSH public key. */
  publicKey: string;
}

/** Where devices open tunnels. Nothing is listened on for what goes through them. */
export interface TunnelHub extends AsyncDisposable {
  port: number;
  /** Resolves when the device has opened it; rejects when `signal` aborts before. */
  expect(wanted: ExpectedForward, signal: AbortSignal): Promise<Forward>;
}

export interface TunnelHubOptions {
  host: string;
  port: number;
  /** An OpenSSH private key. */
  hostKey: string;
  now(): number;
  onFault(error: unknown): void;
}

/** Opens a hub; resolves when it listens. */
export type OpenTunnelHub = (options: TunnelHubOptions) => Promise<TunnelHub>;
