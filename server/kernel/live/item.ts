import type { EventName } from '../../../schemas/_generated/contract.ts';
import type { Recipients } from './recipients.ts';

type Kind = 'devices' | 'companies' | 'tags' | 'users' | 'files' | 'jobs' | 'alerts';
/** What one server process sends the others, and itself. */
export type Item =
  | { to: 'channel'; channel: string; event: EventName; payload: object }
  | { to: 'tree'; path: string; kind: Kind; event: EventName; payload: object; isForTreeOnly: boolean; byDepth?: readonly object[] }
  | { to: 'recheck'; channel: string }
  | { to: 'sockets'; whose: Recipients };
