import type { Generated } from 'kysely';
import type { Flag, Millis } from './column-types.ts';

/** A mail server of a company; its default one is used by all below it that have none of their own. */
interface EmailConfigurationsTable {
  id: Generated<number>;
  company_id: number;
  /** The sender's name. */
  name: string;
  host: string;
  port: number;
  /** tls: encrypted from the first byte · starttls: encrypted before anything is said, or not used · none: readable on the way. */
  security: 'tls' | 'starttls' | 'none';
  /** The sender's address. */
  email: string;
  /** Empty: the server asks for none. */
  username: string;
  /** Sealed also when it is empty. */
  sealed_password: string;
  /** Carries the mails that name no other server; one of each company that has any. */
  is_default: Generated<Flag>;
  created_at: Millis;
}

/** What mails of a company say in its own words; those below that have none use them. */
interface EmailTemplatesTable {
  company_id: number;
  kind: string;
  language: string;
  subject: string;
  /** With `{name}` where a value comes. */
  text: string;
  updated_at: Millis;
}

export interface MailTables {
  email_configurations: EmailConfigurationsTable;
  email_templates: EmailTemplatesTable;
}
