alter table alerts add column noticed_at bigint;
update alerts set noticed_at = raised_at where cause_device_id is null or ended_at is not null;
create index alerts_unnoticed on alerts (id) where noticed_at is null and cause_device_id is null;
alter table notices add column cause_device_id bigint;
create index notices_waiting on notices (id) where cause_device_id is null;
create index notices_behind on notices (subject_id) where cause_device_id is not null;
alter table automation_logs add column waited_at bigint;
alter table automation_logs add column cause_device_id bigint;
create index automation_logs_waiting on automation_logs (id) where status = 'waiting';
