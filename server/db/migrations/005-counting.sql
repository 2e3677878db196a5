create table deaf_periods (
  id id_column,
  from_at bigint not null,
  until_at bigint not null
);
create index deaf_periods_until on deaf_periods (until_at);
alter table devices add column sampled_at bigint;
alter table devices add column uplink_counters text;
alter table devices add column former_boot_at bigint;
alter table devices add column former_boot_until bigint;
