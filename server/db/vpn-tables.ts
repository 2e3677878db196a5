import type { Generated } from 'kysely';
import type { Millis } from './column-types.ts';

/** A hub. Addresses are IPv4 as numbers. */
interface VpnHubsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  description: string;
  /** Host name or address by which clients reach it. */
  endpoint: string;
  port: number;
  /** First address of its network. */
  network: number;
  /** Bits of its network's prefix. */
  prefix: number;
  enabled: 0 | 1;
  /** Of WireGuard; empty for OpenVPN. */
  public_key: string;
  /** Of WireGuard; empty for OpenVPN. */
  sealed_key: string;
  zone: Generated<string>;
  vpn_type: Generated<'wireguard' | 'tun' | 'tap'>;
  quick_hub: Generated<0 | 1>;
  starts_at: Generated<Millis | null>;
  /** A quick hub is gone then. */
  ends_at: Generated<Millis | null>;
  disabled_reason: Generated<'data_used' | 'inactive' | 'inactive_without_users' | 'expired' | null>;
  /** `HubPki` as JSON, of OpenVPN. */
  sealed_pki: Generated<string | null>;
  ca_expires_at: Generated<Millis | null>;
  server_expires_at: Generated<Millis | null>;
  /** PEM: certificates of clients that are not valid any more. */
  revoked_list: Generated<string | null>;
  revoked_list_at: Generated<Millis | null>;
  /** null: nobody runs it, it is a configuration only. */
  run_state: Generated<'running' | 'stopped' | 'failed' | 'away' | null>;
  run_error: Generated<string | null>;
  bytes_used: Generated<number>;
  /** Of those, how many were taken off company data, or passed while the installation was without resources. */
  bytes_charged: Generated<number>;
  last_used_at: Generated<Millis | null>;
  created_by: Generated<number | null>;
  created_at: Millis;
  updated_at: Millis;
}

/** Who may connect to a hub. */
interface VpnClientsTable {
  id: Generated<number>;
  vpn_hub_id: number;
  type: 'device' | 'user' | 'custom';
  device_id: number | null;
  user_id: Generated<number | null>;
  name: string;
  address: number;
  /** `static`: the address was chosen. */
  mode: Generated<'static' | 'dhcp'>;
  enabled: 0 | 1;
  /** Of WireGuard; null until a profile was made. */
  public_key: string | null;
  /** Of the certificate in force, hex; of OpenVPN. */
  serial: Generated<string | null>;
  /** Of the certificate. */
  expires_at: Generated<Millis | null>;
  /** The certificate of a device that keeps its key itself. */
  device_certificate: Generated<string | null>;
  /** Whether the device lets the hub's clients into its LAN, and out by its WAN. */
  forward_lan: Generated<0 | 1>;
  forward_wan: Generated<0 | 1>;
  sync_state: Generated<'waiting' | 'done' | 'failed' | null>;
  synced_at: Generated<Millis | null>;
  /** What the device was last given, to see whether it is outdated. */
  synced_as: Generated<string | null>;
  created_at: Millis;
  updated_at: Millis;
}

/** A network behind a client. */
interface VpnRoutesTable {
  id: Generated<number>;
  vpn_hub_id: number;
  vpn_client_id: number;
  name: string;
  network: number;
  prefix: number;
  created_at: Millis;
}

/** A client, or all with a tag, may reach another, or all with a tag, and the networks behind these. */
interface VpnRulesTable {
  id: Generated<number>;
  vpn_hub_id: number;
  from_client_id: number | null;
  to_client_id: number | null;
  from_tag_id: Generated<number | null>;
  to_tag_id: Generated<number | null>;
  created_at: Millis;
}

interface VpnHubTagsTable {
  vpn_hub_id: number;
  tag_id: number;
}

/** Groups of a client beside the tags of its device. */
interface VpnClientTagsTable {
  vpn_client_id: number;
  tag_id: number;
}

/** A certificate that was valid and is not any more. */
interface VpnRevokedTable {
  id: Generated<number>;
  vpn_hub_id: number;
  serial: string;
  /** When it would have expired. */
  expires_at: Millis;
  revoked_at: Millis;
}

interface VpnDhcpOptionsTable {
  id: Generated<number>;
  vpn_hub_id: number;
  type: 'DNS' | 'WINS';
  address: number;
  created_at: Millis;
}

/** A connection of a client, or an attempt that was refused. */
interface VpnSessionsTable {
  id: Generated<number>;
  vpn_hub_id: number;
  vpn_client_id: number | null;
  /** Of the client, at that time. */
  name: string;
  type: 'device' | 'user' | 'custom';
  session_key: string;
  address: number | null;
  remote: string;
  /** See `ConnectionCode`. */
  code: number;
  sent: number;
  received: number;
  started_at: Millis;
  /** null while it is connected. */
  ended_at: Millis | null;
}

/** Bytes of a client of a hub in an hour. */
interface VpnTrafficTable {
  vpn_hub_id: number;
  vpn_client_id: number;
  hour: Millis;
  sent: number;
  received: number;
}

export interface VpnTables {
  vpn_hubs: VpnHubsTable;
  vpn_clients: VpnClientsTable;
  vpn_routes: VpnRoutesTable;
  vpn_rules: VpnRulesTable;
  vpn_hub_tags: VpnHubTagsTable;
  vpn_client_tags: VpnClientTagsTable;
  vpn_revoked: VpnRevokedTable;
  vpn_dhcp_options: VpnDhcpOptionsTable;
  vpn_sessions: VpnSessionsTable;
  vpn_traffic: VpnTrafficTable;
}
