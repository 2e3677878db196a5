import type { HubEvent, HubSession, HubSpec } from '../edges/vpn/types.ts';

/** What a hub notes of its connections; the helper adds which hub, when, and a number. */
export type Note = (event: Omit<HubEvent, 'number' | 'hub' | 'at'>) => void;

/** A hub that was started. */
export interface RunningHub {
  /** Makes another specification effective, without a break for clients that stay as they are. Throws NeedsRestart where that can not be. */
  change(hub: HubSpec): Promise<void>;
  sessions(): Promise<readonly HubSession[]>;
  /** Why its program ended; undefined while it runs. */
  error(): string | undefined;
  stop(): Promise<void>;
}

/** This change needs a new start of the hub. */
export class NeedsRestart extends Error {
  override name = 'NeedsRestart';
}
