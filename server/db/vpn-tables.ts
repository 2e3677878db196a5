import type { Generated } from 'kysely';
import type { Millis } from './schema.ts';

/** A WireGuard hub. Addresses are IPv4 as numbers. */
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
  public_key: string;
  sealed_key: string;
  created_at: Millis;
  updated_at: Millis;
}

/** Who may connect to a hub. */
interface VpnClientsTable {
  id: Generated<number>;
  vpn_hub_id: number;
  type: 'device' | 'custom';
  device_id: number | null;
  name: string;
  address: number;
  enabled: 0 | 1;
  /** null until a profile was made. */
  public_key: string | null;
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

/** One client may reach another and the networks behind it. */
interface VpnRulesTable {
  id: Generated<number>;
  vpn_hub_id: number;
  from_client_id: number;
  to_client_id: number;
  created_at: Millis;
}

export interface VpnTables {
  vpn_hubs: VpnHubsTable;
  vpn_clients: VpnClientsTable;
  vpn_routes: VpnRoutesTable;
  vpn_rules: VpnRulesTable;
}
