import type { Generated } from 'kysely';
import type { JsonText, Millis } from './column-types.ts';

/** What was changed, by whom: rows are final. */
export interface AuditTable {
  id: Generated<number>;
  at: Millis;
  actor_id: number | null;
  actor_name: string;
  on_behalf_of: number | null;
  action: string;
  entity: string;
  entity_id: number | null;
  entity_name: string;
  company_id: number | null;
  /** The company that a record left this one for: its row notifies those who see that one too. */
  left_for_id: Generated<number | null>;
  before: JsonText | null;
  after: JsonText | null;
  ip: string;
  /** The personal access token that was used instead of a session. */
  token_name: string | null;
  request_id: string;
  /** The form that it was entered in, `<id>@<version>`. */
  form: Generated<string | null>;
  /** The row whose change this one took back. */
  undoes: Generated<number | null>;
}

/** Some rows of the history in their order, with a hash over them and the seal before: rows that were changed in the database are noticed. */
export interface AuditSealsTable {
  id: Generated<number>;
  first_id: number;
  last_id: number;
  count: number;
  last_at: Millis;
  /** The hash of the seal before. */
  previous: string;
  hash: string;
  sealed_at: Millis;
  /** 1: its rows are older than the history is kept, and were removed. */
  expired: Generated<0 | 1>;
}
