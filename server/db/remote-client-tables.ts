import type { Generated } from 'kysely';
import type { JsonText, Millis } from './schema.ts';

/** A host key that a person has trusted at an address behind a device. */
interface RemoteHostKeysTable {
  id: Generated<number>;
  device_id: number;
  host: string;
  port: number;
  key_type: string;
  /** `SHA256:…` */
  fingerprint: string;
  trusted_by: number;
  created_at: Millis;
}

/** Entries of remote access whose servers know outdated algorithms only. */
interface RemoteLegacyEntriesTable {
  entry_id: number;
  created_at: Millis;
}

/** A button of one person that sends keys. */
interface SpecialKeysTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  used_in: 'terminal' | 'desktop';
  keys: string;
  created_at: Millis;
}

/** A text that terminals send, with the parameters that are asked for before. */
interface TerminalSnippetsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  description: string;
  text: string;
  parameters: JsonText;
  created_at: Millis;
  updated_at: Millis;
}

export interface RemoteClientTables {
  remote_host_keys: RemoteHostKeysTable;
  remote_legacy_entries: RemoteLegacyEntriesTable;
  special_keys: SpecialKeysTable;
  terminal_snippets: TerminalSnippetsTable;
}
