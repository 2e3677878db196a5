import type { Generated } from 'kysely';
import type { Millis } from './column-types.ts';

/** A person in a company, with the role that they have there. */
export interface MembershipsTable {
  user_id: number;
  company_id: number;
  role_id: number;
  disabled_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** Somebody asks to impersonate a user; the user answers by the token of a link. */
export interface ImpersonationRequestsTable {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  company_id: number;
  requested_by: number;
  /** The company that the asking person acted in. */
  requester_company_id: number;
  reason: string;
  /** Of the link; of the consent, once it is given. */
  expires_at: Millis;
  created_at: Millis;
  confirmed_at: Millis | null;
}

export interface ImpersonationLogsTable {
  id: Generated<number>;
  actor_id: number | null;
  actor_name: string;
  user_id: number | null;
  user_name: string;
  company_id: number;
  reason: string;
  ip: string;
  session_id: string;
  started_at: Millis;
  /** When it ends at the latest. */
  expires_at: Millis;
  ended_at: Millis | null;
}
