import type { ChannelEvent } from './types.ts';

/** What the broker's thread is started with. */
export interface BrokerOptions {
  host: string;
  port: number;
}

export interface Question {
  id: number;
  /** Where the connection comes from. */
  address: string;
  deviceKey: string;
  password: string;
}

/** Broker thread → server. */
export type FromBroker =
  | { type: 'ready'; port: number }
  | { type: 'failed'; message: string; code: string | undefined }
  | { type: 'verify'; questions: Question[] }
  | { type: 'events'; batch: number; events: ChannelEvent[] }
  | { type: 'sent'; id: number }
  | { type: 'stopped' };

/** Server → broker thread. */
export type ToBroker =
  | { type: 'open' }
  | { type: 'verified'; answers: { id: number; isRight: boolean }[] }
  /** The batch is durable: acknowledge its messages to the devices. */
  | { type: 'durable'; batch: number }
  | { type: 'send'; id: number; deviceKey: string; text: string }
  | { type: 'disconnect'; deviceKey: string }
  | { type: 'stop' };
