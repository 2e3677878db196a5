import type { Generated } from 'kysely';
import type { Flag, Millis } from './column-types.ts';

export type RemoteProtocol = 'http' | 'https' | 'ssh' | 'sftp' | 'telnet' | 'vnc' | 'rdp';

/** A service of a device, or of a host behind it, that people may reach from the browser. */
interface RemoteEntriesTable {
  id: Generated<number>;
  device_id: number;
  name: string;
  protocol: RemoteProtocol;
  /** An IP address as `ipaddr.js` writes it; 127.0.0.1 is the device itself. */
  host: string;
  port: number;
  /** The device's own page or shell. */
  is_main: Flag;
  /** `vpn`: by the address that the device has in a VPN hub and no other way. */
  way: Generated<'auto' | 'vpn'>;
  /** People who connect have to sign in there. */
  credentials_required: Flag;
  /** User name and password as sealed JSON; null when people enter their own. */
  sealed_credentials: string | null;
  /** Of Windows, where people sign in over RDP. */
  login_domain: Generated<string>;
  /** The layout of a desktop's keyboard over RDP; empty: an American one. */
  keyboard: Generated<string>;
  /** Whether the sign-in form of a web page is filled with what is stored, and sent. */
  login_form: Generated<'fill' | 'send' | 'off'>;
  /** Nobody connects until it is unblocked. */
  blocked_at: Millis | null;
  /** open, closed or silent, as it was found last. */
  check_state: 'open' | 'closed' | 'silent' | null;
  checked_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

interface RemoteEntryTagsTable {
  entry_id: number;
  tag_id: number;
}

interface RemoteFavouritesTable {
  user_id: number;
  entry_id: number;
}

/** One connection of a person to a service, while it is open and afterwards. */
interface RemoteSessionsTable {
  id: Generated<number>;
  /** Of the device when it began. */
  company_id: number;
  device_id: number | null;
  device_name: string;
  entry_id: number | null;
  entry_name: string;
  protocol: RemoteProtocol;
  /** webui: a page of the device itself, lan-webui: one behind it, cli: everything else. */
  type: 'webui' | 'lan-webui' | 'cli';
  host: string;
  port: number;
  user_id: number | null;
  user_name: string;
  on_behalf_of: number | null;
  link_id: number | null;
  /** The session or the access token with which it was asked for; it ends with that one. */
  session_id: string | null;
  token_id: number | null;
  ip: string;
  /** null once the ticket was used, and for nobody any more after its time. */
  ticket_hash: string | null;
  ticket_expires_at: Millis;
  /** When the browser came with the ticket. */
  opened_at: Millis | null;
  started_at: Millis;
  expires_at: Millis;
  ended_at: Millis | null;
  end_reason: string | null;
  /** Asked for from another process; the one that holds it looks here. */
  end_requested: string | null;
  /** To the device. */
  bytes_in: number;
  /** From the device. */
  bytes_out: number;
  /** Of those, how many were taken off data; null where the installation began it without resources. */
  bytes_charged: number | null;
  /** The process that holds it, and when that one said so last. */
  owner: string;
  seen_at: Millis;
  recording_bytes: number;
}

/** Access that one person was given to one entry for a time. */
interface RemoteLinksTable {
  id: Generated<number>;
  entry_id: number;
  token_hash: string;
  email: string;
  purpose: string;
  ticket_number: string;
  created_by: number | null;
  created_by_name: string;
  /** The company in which its giver acted: it ends with their right. */
  created_in: number;
  created_at: Millis;
  expires_at: Millis;
  revoked_at: Millis | null;
  used_at: Millis | null;
  uses: number;
}

/** What a company asks of remote access to its devices; companies below follow it unless they have their own. */
interface RemoteSettingsTable {
  company_id: number;
  records_terminals: Flag;
  records_desktops: Flag;
  asks_consent: Flag;
  idle_minutes: number;
  updated_at: Millis;
}

/** Somebody of another company asked whether they may reach a device. */
interface RemoteConsentsTable {
  id: Generated<number>;
  company_id: number;
  device_id: number;
  user_id: number;
  user_name: string;
  /** The company in which they acted. */
  user_company: string;
  purpose: string;
  asked_at: Millis;
  state: 'asked' | 'given' | 'refused';
  decided_at: Millis | null;
  decided_by_name: string | null;
  expires_at: Millis;
}

/** The key with which a device opens tunnels. */
interface DeviceTunnelKeysTable {
  device_id: number;
  /** The base64 part of an OpenSSH public key. */
  public_key: string;
  created_at: Millis;
}

/** A service that was found on a device or behind it. */
interface FoundServicesTable {
  id: Generated<number>;
  device_id: number;
  host: string;
  port: number;
  /** Empty where the device does not know it. */
  mac: string;
  host_name: string;
  found_at: Millis;
}

/** A button of a person's terminals, and what it sends. */
interface TerminalKeysTable {
  id: Generated<number>;
  user_id: number;
  /** The company in which it was made; a shared one is for all who see that company. */
  company_id: number;
  is_shared: Flag;
  user_name: string;
  label: string;
  text: string;
  presses_enter: Flag;
  created_at: Millis;
  updated_at: Millis;
}

export interface RemoteTables {
  terminal_keys: TerminalKeysTable;
  remote_entries: RemoteEntriesTable;
  remote_entry_tags: RemoteEntryTagsTable;
  remote_favourites: RemoteFavouritesTable;
  remote_sessions: RemoteSessionsTable;
  remote_links: RemoteLinksTable;
  remote_settings: RemoteSettingsTable;
  remote_consents: RemoteConsentsTable;
  device_tunnel_keys: DeviceTunnelKeysTable;
  found_services: FoundServicesTable;
}

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
