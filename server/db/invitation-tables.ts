import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

/** Somebody who may join a company with a role, once, by the token of a link. */
export interface InvitationsTable {
  id: Generated<number>;
  /** Lower case. */
  email: string;
  company_id: number;
  role_id: number;
  /** The invited person names a company of their own, below `company_id`. */
  is_distributor: Flag;
  /** 1: the new company is independent, with no company above it. */
  is_independent: Generated<0 | 1>;
  token_hash: string;
  invited_by: number;
  /** The company that the inviter acted in. */
  inviter_company_id: number;
  /** When the mail server last took its mail. */
  sent_at: Millis | null;
  /** Why the last mail did not go out. */
  mail_error: string | null;
  expires_at: Millis;
  created_at: Millis;
}

/** An address that a mail server refused for good, for mails of one company. */
export interface SuppressedEmailsTable {
  id: Generated<number>;
  email: string;
  company_id: number;
  reason: string;
  created_at: Millis;
}

/** The API description of the devices of one system; its bytes are a file in DATA_DIR. */
export interface ApiDescriptionsTable {
  system: 'rutos' | 'tswos';
  file_name: string;
  size: number;
  /** Hex; also the name of the file. */
  sha256: string;
  uploaded_by: number | null;
  created_at: Millis;
  /** What it says of single settings; null for one from before that was read. */
  document: JsonText | null;
  /** The addresses that it describes, `ApiSource[]` of schemas/kit/devices/api-sources.ts. */
  sources: JsonText | null;
}
