import type { EventName, EventPayloads } from '../../../schemas/_generated/contract.ts';
import type { Actor } from '../actor.ts';

/** What the rest of the server asks of the live channel. Call it after the commit. */
export interface Live {
  /** Sends to everybody subscribed to exactly this channel. Payloads of one event on one channel are batched, at most 4 packets a second. */
  publish<E extends EventName>(channel: string, event: E, payload: EventPayloads[E]): void;
  /** The same for a thing that belongs to a company: reaches `companies.{id}.<kind>` of the company and of each one above it. */
  publishBelow<E extends EventName>(
    companyPath: string,
    kind: 'devices' | 'companies' | 'tags' | 'users' | 'files' | 'jobs',
    event: E,
    payload: EventPayloads[E],
    /**
     * `isForTreeOnly`: not for people who see only this very company · `byDepth`: what followers of each company on the path get instead,
     * from the top; `payload` then goes to those who see everything.
     */
    options?: { isForTreeOnly?: boolean; byDepth?: readonly EventPayloads[E][] },
  ): void;
  /** Ends the following of a channel for everybody who may not follow it any more: its thing went to another company. Call after the commit. */
  recheck(channel: string): Promise<void>;
  /** Has `end` called when the sockets of this actor are ended, for answers that are still on their way; answers how to take that back. */
  endWith(actor: Actor, end: () => void): () => void;
  /** Ends sockets and what hangs on them at once: of one session, or all of a user (disabled, role changed, signed out). */
  closeSockets(whose: { sessionId: string } | { userId: number }): void;
  /** Ends all sockets of this process, for a stop: the HTTP server waits for them otherwise. */
  endAll(): Promise<void>;
}
