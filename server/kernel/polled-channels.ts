import { defineError } from './errors.ts';

/** No such channel, or one that the caller does not see, or one that has expired. */
export const ChannelNotFound = defineError('CHANNEL_NOT_FOUND');

/** An event of the public API (docs/behaviour.md section 7): the last of a list is the state of the record that the list is about. */
export interface PolledEvent {
  status: 'pending' | 'running' | 'warning' | 'error' | 'completed';
  value: string;
  ports?: object[];
  errorCode?: string;
  /** Of a device that somebody adds. */
  serial?: string;
  /** The field that is wrong, as in the errors of the call. */
  source?: string;
}
