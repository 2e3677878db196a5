import type { Generated } from 'kysely';
import type { HealthScores } from '../../schemas/kit/devices/health.ts';
import type { CustomType } from '../../schemas/kit/devices/custom-fields.ts';
import type { Flag, JsonText, Millis } from './column-types.ts';

export interface DevicesTable {
  id: Generated<number>;
  company_id: number;
  /** MQTT user name and topic part. */
  device_key: string;
  /** SHA-256 of the 240-bit random MQTT password. */
  credential_hash: string;
  name: string;
  description: string;
  serial: string;
  mac: string;
  imei: string | null;
  model: string;
  firmware: string;
  agent: string;
  os: string;
  hostname: string;
  /** IANA name of the zone that its clock shows, as it reports it. */
  timezone: string | null;
  is_simulated: Flag;
  /** 0 offline, 1 online, 2 pending (in quarantine), null not activated. */
  status: 0 | 1 | 2 | null;
  quarantine: 'duplicate_serial' | 'rejoin' | 'not_approved' | null;
  failed_auth_reason: number | null;
  boot_id: string | null;
  report_seconds: number;
  activated_at: Millis | null;
  last_connection_at: Millis | null;
  last_update_at: Millis | null;
  /** When the month began in which it was heard of last, UTC. */
  active_month: Millis | null;
  /** When readings of its reports were kept last. */
  sampled_at: Millis | null;
  /** When it was booted before it was booted last, by its uptime, and when it reported then for the last time. */
  former_boot_at: Millis | null;
  former_boot_until: Millis | null;
  /** `UplinkCounters` of the device channel. */
  uplink_counters: JsonText | null;
  status_changed_at: Millis | null;
  /** When the device counts as silent unless something arrives before; see the sweep of the device channel. */
  silent_at: Millis | null;
  router_uptime: number | null;
  load1: number | null;
  mem_total_kb: number | null;
  mem_available_kb: number | null;
  signal: number | null;
  rsrp: number | null;
  rsrq: number | null;
  sinr: number | null;
  connection_type: string | null;
  operator: string | null;
  network_state: string | null;
  sim_slot: number | null;
  imsi: string | null;
  iccid: string | null;
  mobile_ip: string | null;
  wan_state: string | null;
  wan_ip: string | null;
  lan_ip: string | null;
  sent: number | null;
  received: number | null;
  temperature: number | null;
  interfaces: JsonText | null;
  /** Of the first modem. */
  modem_manufacturer: string | null;
  modem_model: string | null;
  modem_firmware: string | null;
  /** Country and network code: 24201. */
  operator_number: string | null;
  cell_id: string | null;
  /** Location or tracking area code. */
  lac: string | null;
  imei_2: string | null;
  imsi_2: string | null;
  iccid_2: string | null;
  modem_manufacturer_2: string | null;
  modem_model_2: string | null;
  modem_firmware_2: string | null;
  signal_2: number | null;
  rsrp_2: number | null;
  rsrq_2: number | null;
  sinr_2: number | null;
  connection_type_2: string | null;
  operator_2: string | null;
  operator_number_2: string | null;
  network_state_2: string | null;
  sim_slot_2: number | null;
  cell_id_2: string | null;
  lac_2: string | null;
  mobile_ip_2: string | null;
  sent_2: number | null;
  received_2: number | null;
  /** The place of the name in order; kept by the database. */
  name_key: Generated<string>;
  /** Folded name, serial, MAC with and without separators, IMEI: what free text search looks in. Kept by `deviceSearchText`. */
  search_text: string;
  enrolment_code_id: number | null;
  /** Where people say it is, degrees; both or neither. */
  user_set_latitude: number | null;
  user_set_longitude: number | null;
  /** Seconds between two reports, as people want it; null: what it was given when it joined. */
  dynamic_monitoring: number | null;
  /** Seconds between two reports of these parts; null: when something changed, and now and then. */
  static_monitoring: number | null;
  io_monitoring: number | null;
  gps_monitoring: number | null;
  wireless_monitoring: number | null;
  hotspot_monitoring: number | null;
  /** The periods of parts that it says it keeps, `io=60 gps=3600`; null: its agent knows none. */
  reported_periods: string | null;
  /** 0: nothing is taken from it, and it is not let in. */
  monitoring_enabled: Generated<Flag>;
  created_at: Millis;
  updated_at: Millis;
}

export interface DeviceTagsTable {
  device_id: number;
  tag_id: number;
}

/** What people note about a device. */
export interface DeviceNotesTable {
  id: Generated<number>;
  device_id: number;
  /** null once that person is gone. */
  user_id: number | null;
  user_name: string;
  text: string;
  created_at: Millis;
  updated_at: Millis;
}

export interface DeviceEventsTable {
  id: Generated<number>;
  device_id: number;
  company_id: number;
  at: Millis;
  /** status, connection, log, quarantine, command, … */
  type: string;
  /** Connection attempt code, where there is one. */
  code: number | null;
  level: 'info' | 'warning' | 'error';
  message: string;
  params: JsonText | null;
  ip: string | null;
}

/** A device that was added before it has joined: its row is among the devices, without a credential that anybody has. */
export interface AwaitedDevicesTable {
  device_id: number;
  series: string;
  /** What it gets when it comes for the first time. */
  firmware_file_id: number | null;
  config_file_id: number | null;
  /** Of the device's own password, with which it may join without a code. */
  proof_hash: string | null;
  /** With whose rights it gets that. */
  user_id: number | null;
  actor_company_id: number;
  user_name: string;
  added_at: Millis;
  /** When it joined; the record goes once it has said hello and its updates have begun. */
  joined_at: Millis | null;
}

/** A call that added devices, for as long as its channel is answered. */
export interface DeviceAdditionsTable {
  id: Generated<number>;
  user_id: number;
  /** By the id of a device, or by the place of one that was refused (`data.3`): its first event. */
  results: JsonText;
  /** The job that reserves credits for them. */
  credit_job_id: number | null;
  created_at: Millis;
}

/** A device that was removed and can be restored; its row is in the bin (`BIN_PATH`), with a key that nobody has. */
export interface RemovedDevicesTable {
  device_id: number;
  /** Where it was, and comes back to. */
  company_id: number;
  /** The key that it comes back with. */
  device_key: string;
  tag_ids: JsonText;
  user_name: string;
  removed_at: Millis;
}

/** What system administrators have decided about a serial number: whether devices with it may join this installation. */
export interface SerialNumbersTable {
  id: Generated<number>;
  serial: string;
  /** Empty: every device with this serial number. */
  mac: string;
  imei: string;
  model: string;
  status: 'approved' | 'denied';
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
}

/** The fields that a company added to devices, its own and those of the companies below. */
export interface CustomFieldsTable {
  company_id: number;
  /** As `customSchema` makes it. */
  schema: JsonText;
  updated_at: Millis;
}

/** What custom fields hold. Values of fields that were removed, or that the device's company does not have, stay and are not shown. */
export interface DeviceCustomValuesTable {
  device_id: number;
  /** The company whose field it is. */
  company_id: number;
  name: string;
  type: CustomType;
  /** The value as text: `true`, `12.5`, `2026-11-25`. */
  text: string;
  /** Of a number. */
  number: number | null;
}

/** The health of devices as it was computed last: the score and that of each part, 0 to 100; null where nothing is known. */
export interface DeviceHealthTable extends HealthScores {
  device_id: number;
  score: number | null;
  at: Millis;
}

export interface DeviceTables {
  device_health: DeviceHealthTable;
  custom_fields: CustomFieldsTable;
  device_custom_values: DeviceCustomValuesTable;
  serial_numbers: SerialNumbersTable;
  removed_devices: RemovedDevicesTable;
  awaited_devices: AwaitedDevicesTable;
  device_additions: DeviceAdditionsTable;
  devices: DevicesTable;
  device_tags: DeviceTagsTable;
  device_events: DeviceEventsTable;
  device_notes: DeviceNotesTable;
}

/** When devices may be worked on: each week at these days and times. */
export interface MaintenanceWindowsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  /** `company`: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  /** Ids of devices or tags; empty for a company. */
  apply_list: JsonText;
  /** `["mon","sun"]`: the days on which it opens. */
  days: JsonText;
  /** `23:30`; a window that ends no later than it begins ends on the day after. */
  time_from: string;
  time_to: string;
  timezone: string;
  /** Where a device reports its own time zone, that one counts. */
  uses_device_time: Flag;
  is_active: Flag;
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
}

export interface EnrolmentCodesTable {
  id: Generated<number>;
  company_id: number;
  code_hash: string;
  /** The first group, so that people can distinguish codes. */
  hint: string;
  uses: number;
  used: number;
  expires_at: Millis;
  /** A JSON array of tag ids. */
  tag_ids: JsonText;
  name_prefix: string;
  created_by: number | null;
  revoked_at: Millis | null;
  created_at: Millis;
}
