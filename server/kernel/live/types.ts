import type { EventName, EventPayloads } from '../../../schemas/_generated/contract.ts';
import type { Recipients } from './recipients.ts';
import type { Actor, Access } from '../actor.ts';

/** What the rest of the server asks of the live channel. Call it after the commit. */
export interface Live {
  /** Sends to everybody subscribed to exactly this channel. Payloads of one event on one channel are batched, at most 4 packets a second. */
  publish<E extends EventName>(channel: string, event: E, payload: EventPayloads[E]): void;
  /** The same for a thing that belongs to a company: reaches `companies.{id}.<kind>` of the company and of each one above it. */
  publishBelow<E extends EventName>(
    companyPath: string,
    kind: 'devices' | 'companies' | 'tags' | 'users' | 'files' | 'jobs' | 'alerts',
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
  /** Has `end` called when the actor loses the right to an answer that is still on its way; answers how to take that back. */
  addUnderWay(answer: PendingAnswer): () => void;
  /** Ends sockets, and answers on their way, at once: what was signed out, revoked, disabled, or has other rights. Call it after the commit. */
  closeSockets(whose: Recipients): void;
  /** Ends all sockets of this process, for a stop: the HTTP server waits for them otherwise. */
  endAll(): Promise<void>;
}

/** An answer that is still being sent: to whom, and what asking for it needs. */
export interface PendingAnswer {
  actor: Actor;
  access: Exclude<Access, 'public'>;
  end(): void;
}
