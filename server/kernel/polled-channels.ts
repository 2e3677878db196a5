import type { DeviceDetails } from '../../schemas/_generated/contract.ts';
import { defineError } from './errors.ts';

/** No such channel, or one that the caller does not see, or one that has expired. */
export const ChannelNotFound = defineError('CHANNEL_NOT_FOUND');

/** An event of the public API (docs/behaviour.md section 7): the last of a list is the state of the record that the list is about. */
export interface PolledEvent {
  status: 'pending' | 'running' | 'warning' | 'error' | 'completed';
  value: string;
  /** Who is behind the ports of a device that looked for it. */
  ports?: NonNullable<DeviceDetails['ports']>;
  /** Where a session can be opened, and what restarts it. */
  link?: string;
  errorCode?: string;
  /** Of a device that somebody adds. */
  serial?: string;
  /** The field that is wrong, as in the errors of the call. */
  source?: string;
}

/** Names of channels have at most 100 characters; a call about more records names the first ones. */
export const MAX_DONE_IDS = 6;

/** The channel of a call that is done when it answers, for programs that follow every call: its only event for each record is `completed`. */
export function doneChannel(ids: readonly number[]): string {
  return `done.${ids.slice(0, MAX_DONE_IDS).join('-')}`;
}

/** The events of such a channel. */
export function eventsWhenDone(ids: string): Record<string, PolledEvent[]> {
  return Object.fromEntries(ids.split('-').map((id) => [id, [{ status: 'completed', value: 'done' }]]));
}
