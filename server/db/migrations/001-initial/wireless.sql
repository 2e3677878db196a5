create table device_wireless (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  interface text not null,
  ssid text not null,
  active integer not null,
  band text not null,
  channel integer,
  clients integer not null,
  received bigint not null,
  sent bigint not null,
  updated_at bigint not null
);
create unique index device_wireless_interface on device_wireless (device_id, interface);

create table device_hotspots (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  hotspot_index integer not null,
  ssid text not null,
  active integer not null,
  ip text not null,
  users integer not null,
  auth_type text not null,
  accounts text not null,
  sessions text not null,
  read_at bigint,
  updated_at bigint not null
);
create unique index device_hotspots_index on device_hotspots (device_id, hotspot_index);

create table hotspot_vouchers (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  ssid text not null,
  amount integer not null,
  minutes integer not null,
  megabytes integer not null,
  ends_at bigint,
  sealed_codes text not null,
  revoked_at bigint,
  created_at bigint not null
);
create unique index hotspot_vouchers_name on hotspot_vouchers (company_id, name);

create table hotspot_voucher_devices (
  voucher_id bigint not null references hotspot_vouchers (id) on delete cascade,
  device_id bigint not null references devices (id) on delete cascade,
  primary key (voucher_id, device_id)
);
create index hotspot_voucher_devices_device on hotspot_voucher_devices (device_id);
