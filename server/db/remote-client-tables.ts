import type { Generated } from 'kysely';
import type { Millis } from './column-types.ts';

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

export interface RemoteClientTables {
  remote_host_keys: RemoteHostKeysTable;
  remote_legacy_entries: RemoteLegacyEntriesTable;
}
