import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

/** A user of a device whose password is kept. */
export interface DevicePasswordsTable {
  id: Generated<number>;
  device_id: number;
  username: string;
  /** One value, which the device has shown to work; else it is one of the values, or the password from before there was any. */
  is_proven: Flag;
  changed_at: Millis;
  /** Which job changed it last. */
  job_id: number | null;
}

/** What the password is, or may be, oldest first. */
export interface DevicePasswordValuesTable {
  id: Generated<number>;
  password_id: number;
  sealed_value: string;
  created_at: Millis;
}

/** Who looked at a password that is kept, and why. */
export interface DevicePasswordLooksTable {
  id: Generated<number>;
  /** The device's company at that time. */
  company_id: number;
  device_id: number | null;
  device_name: string;
  username: string;
  user_id: number | null;
  user_name: string;
  reason: string;
  ip: string;
  at: Millis;
}

/** New passwords of a job, for the one person who started it. */
export interface PasswordListsTable {
  job_id: number;
  created_at: Millis;
  /** When the passwords were deleted; null while they wait. */
  ended_at: Millis | null;
  end_reason: 'downloaded' | 'expired' | null;
}

export interface PasswordListItemsTable {
  id: Generated<number>;
  job_id: number;
  device_id: number;
  device_name: string;
  serial: string;
  mac: string;
  username: string;
  state: 'ok' | 'failed' | 'timed-out';
  sealed_value: string;
}

/** Which devices get new passwords repeatedly. */
export interface PasswordPlansTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  /** `company`: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  /** Ids of devices or tags; empty for a company. */
  apply_list: JsonText;
  username: string;
  length: number;
  use_special: Flag;
  every_days: number;
  is_active: Flag;
  /** With whose rights it runs; null once that person is gone, and it runs no more. */
  created_by: number | null;
  /** As a member of which company that person set it up. */
  actor_company_id: number;
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
  next_at: Millis | null;
  last_at: Millis | null;
  last_job_id: number | null;
}

/** The eSIM profiles that a device had when it was asked last. */
export interface DeviceEsimsTable {
  device_id: number;
  /** The number of the chip. */
  eid: string | null;
  profiles: JsonText;
  read_at: Millis;
}

/** The single settings that a device had when it was asked last; secrets are in none. */
export interface DeviceConfigurationsTable {
  device_id: number;
  settings: JsonText;
  read_at: Millis;
}

export interface PasswordTables {
  device_configurations: DeviceConfigurationsTable;
  device_passwords: DevicePasswordsTable;
  device_password_values: DevicePasswordValuesTable;
  device_password_looks: DevicePasswordLooksTable;
  password_lists: PasswordListsTable;
  password_list_items: PasswordListItemsTable;
  password_plans: PasswordPlansTable;
  device_esims: DeviceEsimsTable;
}
