import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** VPN hubs, their clients, the networks behind these, and who may reach whom. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table vpn_hubs (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade, name text not null,
    description text not null, endpoint text not null, port ${big} not null, network ${big} not null, prefix ${big} not null, enabled ${big} not null,
    public_key text not null, sealed_key text not null, created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create unique index vpn_hubs_name on vpn_hubs (company_id, name)`.execute(db);
  await sql`create table vpn_clients (id ${tools.idColumn}, vpn_hub_id ${big} not null references vpn_hubs (id) on delete cascade, type text not null,
    device_id ${big} references devices (id) on delete cascade, name text not null, address ${big} not null, enabled ${big} not null, public_key text,
    created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create unique index vpn_clients_address on vpn_clients (vpn_hub_id, address)`.execute(db);
  await sql`create unique index vpn_clients_name on vpn_clients (vpn_hub_id, name) where device_id is null`.execute(db);
  await sql`create unique index vpn_clients_device on vpn_clients (device_id, vpn_hub_id)`.execute(db);
  await sql`create table vpn_routes (id ${tools.idColumn}, vpn_hub_id ${big} not null references vpn_hubs (id) on delete cascade,
    vpn_client_id ${big} not null references vpn_clients (id) on delete cascade, name text not null, network ${big} not null, prefix ${big} not null,
    created_at ${big} not null)`.execute(db);
  await sql`create unique index vpn_routes_network on vpn_routes (vpn_hub_id, network, prefix)`.execute(db);
  await sql`create index vpn_routes_client on vpn_routes (vpn_client_id)`.execute(db);
  await sql`create table vpn_rules (id ${tools.idColumn}, vpn_hub_id ${big} not null references vpn_hubs (id) on delete cascade,
    from_client_id ${big} not null references vpn_clients (id) on delete cascade, to_client_id ${big} not null references vpn_clients (id) on delete cascade,
    created_at ${big} not null)`.execute(db);
  await sql`create unique index vpn_rules_pair on vpn_rules (vpn_hub_id, from_client_id, to_client_id)`.execute(db);
  await sql`create index vpn_rules_from on vpn_rules (from_client_id)`.execute(db);
  await sql`create index vpn_rules_to on vpn_rules (to_client_id)`.execute(db);
}
