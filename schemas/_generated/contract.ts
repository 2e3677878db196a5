// Made by `npm run gen` from the files in schemas/. Do not edit.

export interface AccessToken {
  /** The record's number. */
  id: number;
  name: string;
  /** Only in the answer that made it; afterwards null. */
  token: string | null;
  /** The first characters. */
  token_hint: string;
  scopes: string[];
  expires_at: string;
  last_used_at: string | null;
  last_used_ip: string | null;
  created_at: string;
}

export interface ActionEntry {
  /** The record's number. */
  id: number;
  job_id: number;
  created_at: string;
  kind: string;
  device_id: number;
  device_name: string;
  company_id: number;
  company_name: string;
  user_id: number | null;
  user_name: string;
  state: 'queued' | 'sent' | 'running' | 'ok' | 'failed' | 'skipped' | 'timed-out' | 'cancelled';
  finished_at: string | null;
}

export interface AlertConfiguration {
  /** The record's number. */
  id: number;
  device_id: number;
  device_name: string;
  company_id: number;
  company_name: string;
  /** The rule underneath. */
  automation_id: number;
  type: string;
  subtype: string;
  alert_type_id: number;
  alert_subtype_id: number;
  /** 1: mail, 2: notification, 3: both. */
  action: number;
  smtp_config_id: number | null;
  receiver: string | null;
  email_to: string | null;
  subject: string | null;
  message: string;
  email_type: boolean;
  enable: boolean;
  redundancy_enable: boolean;
  /** Minutes in which it is not sent again. */
  redundancy_interval: number;
  user_id: number | null;
  user_name: string;
  created_at: string;
  updated_at: string;
}

export interface Alert {
  /** The record's number. */
  id: number;
  device_id: number;
  device_name: string;
  company_id: number;
  company_name: string;
  /** null once the automation is gone. */
  automation_id: number | null;
  name: string;
  severity: 'info' | 'warning' | 'critical';
  message: string;
  alert_type: string;
  alert_subtype: string;
  state: 'open' | 'acknowledged' | 'ended';
  created_at: string;
  ended_at: string | null;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  snoozed_until: string | null;
  /** The router of its site, while that is offline: then nobody is notified of this alert. */
  cause_device_id: number | null;
  cause_device_name: string | null;
  /** It has a cause of its own that people were notified of. */
  is_silenced: boolean;
  alert_type_id: number | null;
  alert_subtype_id: number | null;
  alerts_configs_id: number | null;
}

export interface Announcement {
  /** The record's number. */
  id: number;
  type: 'info' | 'warning' | 'maintenance';
  /** HTML with text, emphasis, lists and links only. */
  summary: string;
  /** For this company and all below it; null for every company. */
  company_id: number | null;
  company_name: string | null;
  /** `administrators`: people who may change users. */
  audience: 'everybody' | 'administrators';
  /** When it is shown; null: from now on until it is removed. */
  period: {
    from: string;
    to: string;
  } | null;
  starts_at: string | null;
  ends_at: string | null;
  created_at: string;
}

export interface Application {
  /** The record's number. */
  id: number;
  /** The people of this company and of those below it can use it. */
  company_id: number;
  company_name: string;
  name: string;
  description: string;
  /** What the application calls itself. */
  client_id: string;
  /** Only in the answer that made it; afterwards null. */
  client_secret: string | null;
  /** Whether it has a secret. */
  is_confidential: boolean;
  redirect_uris: string[];
  /** All that it may ask for. */
  scopes: string[];
  /** How many people let it act for them. */
  users_count: number;
  created_at: string;
}

export interface AuthorizedDevice {
  /** The record's number. */
  id: number;
  name: string;
  serial: string;
  mac: string;
  imei: string | null;
  model: string;
  company_id: number;
  company_name: string;
  /** Waiting: in quarantine until somebody decides. */
  status: 'approved' | 'waiting';
  quarantine: 'duplicate_serial' | 'rejoin' | 'not_approved' | null;
  /** The first group of the enrolment code that it joined with. */
  code_hint: string | null;
  created_at: string;
  activated_at: string | null;
}

export interface AutomationDevice {
  /** The device's number. */
  id: number;
  device_id: number;
  automation_id: number;
  device_name: string;
  serial: string;
  mac: string;
  model: string | null;
  firmware: string | null;
  enabled: boolean;
  /** A condition holds at present. */
  holds: boolean;
  total_triggered_count: number;
  period_triggered_count: number;
  period_trigger_limit: number | null;
  period_latest_reset: string | null;
  last_triggered_at: string | null;
  /** Since when something is remembered of the device. */
  created_at: string | null;
}

export interface AutomationLog {
  /** The record's number. */
  id: number;
  evaluation_id: number;
  automation_id: number;
  automation_name: string;
  device_id: number;
  device_name: string;
  serial: string;
  company_id: number;
  company_name: string;
  /** Which branch of the rule: 0.1 is the second inside the first. */
  branch: string;
  status: 'pending' | 'done' | 'failed';
  overall_status: 'pending' | 'success' | 'failed';
  action_status: 'pending' | 'success' | 'failed';
  action_status_message: string | null;
  evaluated_parameters: {
    key: string;
    value: string | number | null;
  }[];
  evaluated_conditions: {
    key: string;
    value: boolean | null;
    parameter: string;
    operator: string;
    expected: string;
    actual: string | null;
  }[];
  actions: {
    name: string;
    status: 'ok' | 'failed';
    message: string | null;
    job_id: number | null;
  }[];
  conditions_body_version: number;
  created_at: string;
  finished_at: string | null;
}

export interface Automation {
  /** The record's number. */
  id: number;
  name: string;
  description: string | null;
  company_id: number;
  company_name: string;
  user_id: number | null;
  /** With whose rights its actions run. */
  user_name: string;
  enabled: boolean;
  /** company: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  /** Chosen devices, at most 500; empty in lists. */
  device_ids: number[];
  tag_ids: number[];
  cooldown_enabled: boolean;
  /** Seconds that a device is left alone after it was acted on. */
  cooldown_duration: number;
  /** Seconds that conditions must not hold until they are over, and can be acted on again; null: 300 where they compare numbers, else 0. */
  recovery_duration: number | null;
  delay_enabled: boolean;
  /** Seconds that conditions must hold. */
  delay_duration: number;
  /** Reports in which conditions must hold. */
  delay_repetitions_count: number;
  period: 'hour' | 'day' | 'week';
  /** At most so many times in a period; null: 30 an hour. */
  period_trigger_limit: number | null;
  total_triggered_count: number;
  /** Devices that it is for, as far as the caller sees them. */
  devices_count: number;
  active_devices_count: number;
  automation_version: number;
  conditions_body_version: number;
  /** Branches: type if or else, expression, actions, and conditions inside; three levels. */
  conditions_body: (Record<string, unknown>)[];
  created_at: string;
  updated_at: string;
}

export interface BackupRule {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  /** company: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  device_ids: number[];
  tag_ids: number[];
  period: 'day' | 'week' | 'month';
  /** 1 (Monday) to 7. */
  weekday: number | null;
  month_day: number | null;
  /** HH:mm in the time zone. */
  time: string;
  timezone: string;
  /** Backups of each device that stay. */
  keep: number;
  is_active: boolean;
  /** With whose rights it runs. */
  user_name: string;
  next_at: string | null;
  last_at: string | null;
  last_job_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface ChangeSet {
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  description: string | null;
  state: 'draft' | 'in_review' | 'approved' | 'applied' | 'undone';
  edits_count: number;
  devices_count: number;
  /** Who drafted it. */
  user_name: string;
  /** Who approved it, or gave it back. */
  reviewer_name: string | null;
  reviewed_at: string | null;
  review_note: string | null;
  applied_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface Change {
  /** The number of the first of the rows. */
  id: number;
  created_at: string;
  /** <resource>.<verb>, such as devices.edit. */
  action: string;
  entity: string;
  /** The record; null when there are several. */
  entity_id: number | null;
  entity_name: string | null;
  /** How many records one call changed in this way. */
  count: number;
  /** The first of them by name. */
  names: string[];
  /** The company that all of them left, of a move. */
  from_name: string | null;
  /** The company that all of them came to, of a move. */
  to_name: string | null;
  user_id: number | null;
  user_name: string;
  /** The user for whom it was done, while impersonating. */
  on_behalf_of_name: string | null;
  /** The company that all of them belong to; null when there are several. */
  company_id: number | null;
  company_name: string | null;
  /** Of a single record, the whole of it before. */
  before: Record<string, unknown> | null;
  /** Of a single record, the whole of it after. */
  after: Record<string, unknown> | null;
  /** What it came through. */
  via: 'console' | 'token' | 'system';
  ip: string | null;
  /** The access token that was used instead of a session. */
  token_name: string | null;
  request_id: string | null;
  /** The form that it was entered in and its version, `<id>@<version>`, as the caller said. */
  form: string | null;
  /** How many of the rows were taken back. */
  undone_count: number;
  /** Whether the reader may undo some of it, as far as no later change builds on it. */
  is_undoable: boolean;
  /** The names of companies and tags in both records, by member and id; left out of the export. */
  labels: Record<string, unknown>;
}

export interface CompanyNode {
  /** The record's number. */
  id: number;
  name: string;
  /** 1 to 3. */
  level: number;
  parent_id: number | null;
  /** Companies directly below. */
  children_count: number;
  /** Devices of this company itself. */
  devices_count: number;
  /** Devices of this company and all below it. */
  devices_below: number;
  /** Users of this company itself. */
  users_count: number;
  /** Users of this company and all below it. */
  users_below: number;
  /** Whether it was asked for, or came along because something below it was. */
  is_match: boolean;
}

export interface CompanyStatistic {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  level: number;
  devices_count: number;
  devices_online: number;
  devices_offline: number;
  devices_not_activated: number;
  /** In quarantine. */
  devices_pending: number;
  tags_count: number;
  /** Bytes of all files of the company. */
  files_size: number;
  /** Jobs that its people began in the last 30 days. */
  jobs_month: number;
  automations_count: number;
  /** Alerts that have not ended. */
  alerts_open: number;
  /** Templates of reports. */
  reports_count: number;
  /** VPN hubs. */
  hubs_count: number;
  /** Hotspots of its devices. */
  hotspots_count: number;
  /** Remote sessions that were opened in the last 30 days. */
  remote_month: number;
  created_at: string;
}

export interface CompanyToken {
  /** The record's number. */
  id: number;
  name: string;
  /** The first characters. */
  token_hint: string;
  state: 'active' | 'expired';
  user_id: number;
  user_name: string;
  /** Whose it is. */
  kind: 'person' | 'service';
  /** The company whose rights it has. */
  company_id: number;
  company_name: string;
  scopes: string[];
  expires_at: string;
  last_used_at: string | null;
  last_used_ip: string | null;
  created_at: string;
}

export interface Company {
  /** The record's number. */
  id: number;
  name: string;
  /** Where the company is reached. */
  email: string | null;
  /** 1 to 3; 1 has no parent. */
  level: number;
  parent_id: number | null;
  parent_name: string | null;
  /** The companies from the topmost one that the viewer sees down to this one. */
  path?: {
    id: number;
    name: string;
  }[];
  /** Users of this company itself. */
  users_count: number;
  /** Devices of this company itself. */
  devices_count: number;
  /** Devices of this company and all below it; left out for who sees one company alone. */
  devices_below?: number;
  /** Those of them that are online. */
  online_below?: number;
  /** Whether its devices may use credits of the company above. */
  can_use_parent_license: boolean;
  /** Whether its people are shown where resources are bought, as far as those of the companies above are. */
  show_payment: boolean;
  /** Credits of this company itself; for who may see credits. */
  credits_left?: number;
  /** Packs of this company itself; for who may see credits. */
  packs_left?: number;
  /** Bytes of data left to this company itself; for who may see its data history. */
  remaining_data?: number;
  created_at: string;
  updated_at: string;
}

export interface ConfigurationDrift {
  id: number;
  device_id: number;
  device_name: string;
  template_id: number;
  template_name: string;
  state: 'equal' | 'differs' | 'unknown';
  /** The revision that was put on the device last. */
  revision: number;
  present_revision: number;
  differences_count: number;
  differences: {
    section: string;
    item: string;
    option: string;
    before: string | string[] | null;
    after: string | string[] | null;
  }[];
  /** Why the device could not be compared: MISSING, AMBIGUOUS, CIRCLE, UNFIT, SECRET, NOT_READ, GONE. */
  fault: string | null;
  fault_names: string | null;
  applied_at: string;
  compared_at: string | null;
}

export interface ConfigurationTemplate {
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  description: string | null;
  system: 'rutos' | 'tswos' | 'openwrt' | 'debian';
  version: string;
  /** Grows with each change of the settings. */
  revision: number;
  base_id: number | null;
  base_name: string | null;
  /** The calls, as JSON. */
  template: string;
  calls_count: number;
  min_firmware: string | null;
  max_firmware: string | null;
  firmware: string | null;
  devices_count: number;
  differs_count: number;
  user_name: string;
  created_at: string;
  updated_at: string;
}

export interface ConfigurationVariable {
  id: number;
  company_id: number;
  company_name: string;
  scope: 'company' | 'tag' | 'device';
  tag_id: number | null;
  device_id: number | null;
  owner_name: string;
  name: string;
  /** `***` for a secret one. */
  value: string;
  is_secret: boolean;
  user_name: string;
  created_at: string;
  updated_at: string;
}

export interface ConnectionEntry {
  /** The record's number. */
  id: number;
  created_at: string;
  device_id: number;
  device_name: string;
  serial: string;
  company_id: number;
  company_name: string;
  type: 'connected' | 'disconnected' | 'refused' | 'quarantined';
  /** The connection attempt code. */
  code: number | null;
  /** The device's own words, or what the server adds. */
  log: string | null;
  ip: string | null;
}

export interface CreditCode {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  /** The last four characters. */
  code_hint: string;
  /** null for what is paid for, to all but system administrators. */
  credit_type: 'paid' | 'free' | null;
  credit_type_name: string;
  credits_amount: number;
  is_used: boolean;
  used_by_company_id: number | null;
  /** null while unused, and where the reader does not see the company. */
  used_by_company_name: string | null;
  /** null while unused, and where the reader does not see the company. */
  used_by_user_id: number | null;
  comment: string;
  /** Who made it. */
  email: string | null;
  activated_at: string | null;
  created_at: string;
}

export interface CreditEntry {
  /** The record's number. */
  id: number;
  created_at: string;
  company_id: number;
  /** Whose credits changed. */
  company: string;
  action: 'add' | 'move' | 'new-code' | 'activate-code' | 'remove-code' | 'data' | 'reserve' | 'release' | 'use' | 'renew' | 'expire';
  /** The action's number: 1 for add, in the order of the actions. */
  action_type: number;
  credit_type_id: number;
  /** null for what is paid for, to all but system administrators. */
  credit_type: 'paid' | 'free' | null;
  credit_type_name: string;
  /** Below zero when they went away. */
  amount: number;
  /** What the company had of the type then. */
  balance_after: number;
  /** null for none, and where the reader does not see the company. */
  from_company: string | null;
  /** null for none, and where the reader does not see the company. */
  to_company: string | null;
  user_id: number | null;
  /** Empty: the server by itself. */
  user: string;
  device_id: number | null;
  serial: string | null;
  mac: string | null;
  /** The record of the credits list that changed. */
  pool_id: number;
  expire_at: string | null;
}

export interface CreditHolding {
  /** The company's number. */
  id: number;
  company_id: number;
  company_name: string;
  level: number;
  /** Plain credits of the company itself. */
  credits_left: number;
  /** Plain credits of the company and all below it that the reader sees. */
  credits_below: number;
  /** Packs of the company itself. */
  packs_left: number;
  /** Packs of the company and all below it. */
  packs_below: number;
  /** Bytes of data of the company itself. */
  remaining_data: number;
  /** Bytes of data of the company and all below it. */
  data_below: number;
}

export interface Credit {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  /** null at the top, and where the reader does not see it. */
  parent_company_name: string | null;
  credit_type_id: number;
  /** null for what is paid for, to all but system administrators. */
  credit_type: 'paid' | 'free' | null;
  /** The kind, such as credit or management_5y. */
  credit_type_name: string;
  /** What ever came in. */
  credit_count: number;
  credit_left: number;
  /** Waits on devices that have not connected yet. */
  credit_reserved: number;
  /** Cannot be used from then on; null: no end. */
  expire_at: string | null;
  /** When the first of them came. */
  assigned_at: string;
  updated_at: string;
}

export interface CurrentUser {
  /** The record's number. */
  id: number;
  username: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  avatar_url: string | null;
  company: {
    id: number;
    parent_id: number | null;
    name: string;
    level: number;
    show_payment: boolean;
  };
  company_id: number;
  company_name: string;
  role: {
    id: number;
    name: string;
    title: string;
  };
  role_id: number;
  role_title: string;
  /** Where the role lets its holders begin: the page that they used last, the start page, or the list of devices. A choice of their own goes first. */
  start_page: 'last' | 'home' | 'devices';
  /** The saved views that lists open with for the role, by list. A choice of their own goes first. */
  default_views?: Record<string, unknown>;
  /** What the role lets see of the tree of companies: `all`, `tree` (the own company and all below it) or `company` (the own one). */
  scope: string;
  /** Whether the person has shown that the address is theirs. */
  email_verified: boolean;
  tos_accepted: boolean;
  mfa_type: string | null;
  /** Seconds until the session must be refreshed. */
  exp: number;
  permissions: string[];
  last_login_at: string | null;
  /** Two letters (ISO 3166-1): the country of the time zone that the user chose; null without a choice, and for zones of no country. */
  country_iso_code: string | null;
  /** How the console looks to this user's top-level company; null for the way it comes. */
  theme: {
    app_name: string | null;
    short_name: string | null;
    full_app_name: string | null;
    company_name: string | null;
    title_text: string | null;
    logo_subtext: string | null;
    main_color: string | null;
    dark_mode_text_color: string | null;
    logo_vector: string | null;
    favicon: string | null;
    branded_device_series: {
      original: string;
      branded: string;
    }[];
    disabled_routes: string[];
    show_data: boolean;
    show_payment: boolean;
    buy_link: string | null;
    buy_notice: string | null;
    /** Pictures of device models. */
    branded_devices: {
      original_model: string;
      /** Its address. */
      branded_model_image: string;
    }[];
    /** Counts as the look of the installation: what is bought is offered, and new terms are shown. */
    default: boolean;
  } | null;
  /** The companies that the caller can switch to, the present one among them. */
  memberships: {
    company_id: number;
    company_name: string;
    role_id: number;
    role_name: string;
    role_title: string;
  }[];
  /** Until when others may impersonate this user; null when nobody may. */
  impersonation_access_limit: string | null;
  /** Whether the user is shown where resources are bought. */
  show_payment: boolean;
  /** Whether the user says which companies are shown that. */
  show_payment_control: boolean;
  /** Who really acts, while impersonating. */
  act: {
    id: number;
    username: string;
  } | null;
  /** Whether somebody else acts as this user. */
  isImpersonating: boolean;
}

export interface Dashboard {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  /** `device`: it is opened for any device. */
  kind: 'fleet' | 'device';
  share: 'private' | 'company';
  /** What people of the company see first. */
  is_company_default: boolean;
  is_own: boolean;
  /** JSON: what is shown, and where. */
  widgets: string;
  /** Grows with each change. */
  version: number;
  /** Who changed it last. */
  user_name: string;
  created_at: string;
  updated_at: string;
}

export interface DataPurchase {
  /** The record's number. */
  id: number;
  created_at: string;
  company_id: number;
  /** Whose data it is. */
  company: string;
  /** Bytes. */
  data: number;
  credits_used: number;
  user_id: number | null;
  user: string;
  email: string | null;
}

export interface DayStatistic {
  /** The record's number. */
  id: number;
  /** In UTC, `YYYY-MM-DD`. */
  day: string;
  /** Different devices that sent readings. */
  devices_reporting: number;
  connections: number;
  /** Connection attempts that were refused. */
  refusals: number;
  devices_joined: number;
  devices_removed: number;
}

export interface DeviceCredit {
  /** The record's number. */
  id: number;
  device_id: number;
  device_name: string;
  serial: string;
  company_id: number;
  company_name: string;
  credit_type_id: number;
  /** null for what is paid for, to all but system administrators. */
  credit_type: 'paid' | 'free' | null;
  credit_type_name: string;
  /** reserved: begins with the first connection. */
  state: 'reserved' | 'running' | 'ended';
  /** Another one is spent when it ends. */
  auto_extend_credit: boolean;
  starts_at: string | null;
  expire_at: string | null;
}

export interface DeviceDetails {
  /** The device's number. */
  id: number;
  /** When the last report came; null: none has come. */
  received_at: string | null;
  /** When a report came last that was another than the one before. */
  changed_at: string | null;
  /** Ethernet ports. null: not reported. */
  ports: {
    name: string;
    /** Whether a cable with something at its other end is in it. */
    link: boolean | null;
    /** Mbit/s. */
    speed: number | null;
    duplex: 'full' | 'half' | null;
    /** Whether it feeds what is connected. */
    poe: boolean | null;
    /** Watts that it gives now. */
    poe_watts: number | null;
    /** Who is behind it. */
    hosts: {
      mac: string;
      ip: string | null;
      name: string | null;
    }[];
  }[] | null;
  /** Network interfaces. null: not reported. */
  interfaces: {
    name: string;
    up: boolean | null;
    mac: string | null;
    /** Bytes. */
    mtu: number | null;
    addresses: string[];
  }[] | null;
  /** Addresses that the device gave by DHCP. null: not reported. */
  leases: {
    mac: string;
    ip: string;
    name: string | null;
    expires_at: string | null;
  }[] | null;
  /** Routes. null: not reported. */
  routes: {
    /** A network, or default. */
    to: string;
    via: string | null;
    interface: string | null;
    metric: number | null;
  }[] | null;
  /** DNS servers that the device asks. null: not reported. */
  dns: string[] | null;
  /** Inputs and outputs. null: not reported. */
  pins: {
    name: string;
    direction: 'in' | 'out';
    kind: 'digital' | 'analog' | 'relay';
    /** 0 or 1; of an analog one its value. */
    state: number;
    /** V or mA of an analog one. */
    unit: string | null;
  }[] | null;
  /** Where the device is. null: not reported. */
  position: {
    /** Degrees. */
    latitude: number;
    /** Degrees. */
    longitude: number;
    /** Metres. */
    altitude: number | null;
    /** Metres. */
    accuracy: number | null;
    satellites: number | null;
    /** Kilometres per hour. */
    speed: number | null;
    /** Degrees from north. */
    course: number | null;
    /** When it was measured. */
    fixed_at: string | null;
  } | null;
  /** Modems, the one in use first. null: not reported. */
  modems: {
    /** What the device calls it. */
    name: string;
    manufacturer: string | null;
    model: string | null;
    firmware: string | null;
    imei: string | null;
    iccid: string | null;
    imsi: string | null;
    operator: string | null;
    connection_type: '5G' | 'LTE' | '3G' | '2G' | null;
    network_state: 'Home' | 'Roaming' | null;
    sim_slot: number | null;
    /** dBm. */
    signal: number | null;
    /** dBm. */
    rsrp: number | null;
    /** dB. */
    rsrq: number | null;
    /** dB. */
    sinr: number | null;
    /** Tenths of a degree Celsius. */
    temperature: number | null;
    operator_number: string | null;
    cell_id: string | null;
    lac: string | null;
    sim_state: string | null;
    pin_state: string | null;
    connection_state: string | null;
  }[] | null;
  /** Wi-Fi networks that the device makes. null: not reported. */
  wireless: {
    interface: string;
    ssid: string | null;
    is_active: boolean | null;
    /** 2.4 GHz, 5 GHz or 6 GHz. */
    band: string | null;
    channel: number | null;
    clients: number | null;
    /** Bytes since the device started. */
    sent: number | null;
    /** Bytes since the device started. */
    received: number | null;
    /** Who is connected. */
    macs: string[];
  }[] | null;
  /** Hotspots. null: not reported. */
  hotspots: {
    index: number;
    ssid: string | null;
    is_active: boolean | null;
    ip: string | null;
    /** People signed in. */
    users: number | null;
    /** How people sign in: password, mac, terms. */
    auth_type: string | null;
  }[] | null;
  /** A checksum of the settings that a backup would hold. */
  settings: string | null;
  /** When the settings were backed up last. */
  backed_up_at: string | null;
  /** Whether the settings are others than at the last backup; null: not known. */
  has_changed_since_backup: boolean | null;
}

export interface DeviceEsim {
  /** The device's number. */
  id: number;
  /** The model has a chip for eSIM profiles. */
  is_supported: boolean;
  /** The number of the chip. */
  eid: string | null;
  profiles: {
    iccid: string;
    provider: string;
    name: string;
    nickname: string | null;
    state: 'enabled' | 'disabled';
    /** operational, test or provisioning. */
    class: string | null;
  }[];
  /** When the device was asked last. */
  read_at: string | null;
}

export interface DeviceEvent {
  /** The record's number. */
  id: number;
  device_id: number;
  company_id: number;
  user_id: number | null;
  serial: string;
  /** What happened. */
  type: 'connected' | 'disconnected' | 'refused' | 'activated' | 'restarted' | 'quarantined' | 'released' | 'moved' | 'log' | 'command' | 'limited';
  level: 'info' | 'warning' | 'error';
  /** Whether a connection attempt or a command succeeded. */
  status: boolean | null;
  /** The connection attempt code or the exit code. */
  code: number | null;
  /** The device's own words, or what the server adds. */
  log: string | null;
  ip: string | null;
  created_at: string;
}

export interface DeviceHotspot {
  id: number;
  device_id: number;
  /** Number of the hotspot on its device. */
  hotspot_index: string;
  ssid: string;
  status: boolean;
  hotspot_ip: string;
  online_users: number;
  auth_type: string;
  accounts: {
    name: string;
    /** From the first sign-in on; 0: no limit. */
    minutes: number;
    /** 0: no limit. */
    megabytes: number;
    ends_at: string | null;
    /** First sign-in. */
    first_at: string | null;
  }[];
  sessions: {
    name: string;
    mac: string;
    ip: string;
    started_at: string | null;
    received: number;
    sent: number;
  }[];
  /** When the device named accounts and sessions last. */
  read_at: string | null;
  updated_at: string;
}

export interface DeviceNote {
  /** The record's number. */
  id: number;
  device_id: number;
  device_name: string;
  text: string;
  /** Who wrote it. */
  user_name: string;
  /** Whether the caller wrote it, and may change it. */
  is_own: boolean;
  created_at: string;
  updated_at: string;
}

export interface DevicePassword {
  /** The record's number. */
  id: number;
  device_id: number;
  device_name: string;
  serial: string;
  company_id: number;
  company_name: string;
  /** Whose password on the device. */
  username: string;
  /** The device has shown that the password works; else it is one of several. */
  is_proven: boolean;
  changed_at: string;
  /** The job that changed it last. */
  job_id: number | null;
}

export interface DeviceWireless {
  id: number;
  device_id: number;
  /** Name of the interface. */
  wlan_id: string;
  ssid: string;
  active: 0 | 1;
  /** 2.4 GHz, 5 GHz, 6 GHz or empty. */
  band: string;
  channel: number | null;
  /** Bytes since the device started. */
  received: number;
  /** Bytes since the device started. */
  sent: number;
  clients_count: number;
  updated_at: string;
}

export interface Device {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  /** Names of the companies from the topmost one down to the device's own. */
  company_path?: string[];
  model: string | null;
  name: string;
  description: string | null;
  serial: string;
  mac: string;
  imei: string | null;
  imsi: string | null;
  iccid: string | null;
  firmware: string | null;
  /** 0 offline, 1 online, 2 pending; null: not activated yet. */
  status: 0 | 1 | 2 | null;
  /** Why the device waits for an administrator's decision; null when it does not. */
  quarantine: 'duplicate_serial' | 'rejoin' | 'not_approved' | null;
  /** Code of the last refused connection attempt; null when the last one succeeded. */
  failed_auth_reason: number | null;
  last_connection_at: string | null;
  /** When the last report arrived. */
  last_update_at: string | null;
  created_at: string;
  updated_at: string;
  /** Seconds since the device started. */
  router_uptime: number | null;
  /** dBm. */
  signal: number | null;
  /** dBm. */
  rsrp: number | null;
  /** dB. */
  rsrq: number | null;
  /** dB. */
  sinr: number | null;
  /** 5G, LTE, 3G or 2G. */
  connection_type: string | null;
  operator: string | null;
  /** Home or Roaming. */
  network_state: string | null;
  /** Country and network code of the operator, such as 24201. */
  operator_number: string | null;
  /** The cell that it is connected to. */
  cell_id: string | null;
  /** Location or tracking area code. */
  lac: string | null;
  sim_slot: number | null;
  mobile_ip: string | null;
  /** Mobile, Wired or WiFi. */
  wan_state: string | null;
  wan_ip: string | null;
  lan_ip: string | null;
  /** Bytes since the device started. */
  sent: number | null;
  /** Bytes since the device started. */
  received: number | null;
  /** Tenths of a degree Celsius. */
  temperature: number | null;
  tags: {
    id: number;
    name: string;
    color: string | null;
  }[];
  /** Its site; null also for a site that the reader does not see. */
  site_id: number | null;
  site_name: string | null;
  /** Health score, 0 to 100, as computed within the last hour; null where nothing is known. */
  health: number | null;
  /** Values of the custom fields of its company and those above, by name. */
  custom: Record<string, unknown>;
  /** How it differs from the configuration templates that it follows; null when it follows none. */
  configuration_state: 'equal' | 'differs' | 'unknown' | null;
  /** Belongs to the simulated fleet. */
  is_simulated: boolean;
  agent: string | null;
  os: string | null;
  hostname: string | null;
  /** The time zone that the device reports, by its IANA name. */
  timezone: string | null;
  /** Seconds between two reports. */
  report_seconds: number | null;
  /** Load average over one minute. */
  load1: number | null;
  /** Kibibytes. */
  mem_total_kb: number | null;
  /** Kibibytes. */
  mem_available_kb: number | null;
  /** Degrees, as people set it. */
  user_set_latitude: number | null;
  /** Degrees, as people set it. */
  user_set_longitude: number | null;
  /** Wanted seconds between two reports; null: as set when the device joined. */
  dynamic_monitoring: number | null;
  /** false: the device is not let in, and nothing is taken from it. */
  monitoring_enabled: boolean;
  /** Of the first modem. */
  modem_manufacturer: string | null;
  /** Of the first modem. */
  modem_model: string | null;
  /** Of the first modem. */
  modem_firmware: string | null;
  /** Of the second modem, as are all members that end in _2. */
  imei_2: string | null;
  imsi_2: string | null;
  iccid_2: string | null;
  modem_manufacturer_2: string | null;
  modem_model_2: string | null;
  modem_firmware_2: string | null;
  /** dBm. */
  signal_2: number | null;
  /** dBm. */
  rsrp_2: number | null;
  /** dB. */
  rsrq_2: number | null;
  /** dB. */
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
  /** Of the last 24 hours. Lists leave it out: GET /devices/trends has it. */
  signal_day?: (number | null)[];
  /** Of the last 24 hours. Lists leave it out: GET /devices/trends has it. */
  online_day?: (number | null)[];
}

export interface EmailConfiguration {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  /** The sender's name. */
  name: string;
  /** The sender's address. */
  email: string;
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  /** Empty: the server asks for none. */
  username: string;
  /** Whether it carries the mails that name no other server. */
  is_default: boolean;
  created_at: string;
}

export interface EmailTemplate {
  /** Stands for the company, the kind and the language. */
  id: number;
  company_id: number;
  company_name: string;
  /** What the mail is about. */
  type: string;
  language: 'en' | 'nb' | 'ja' | 'uk';
  /** Whose words they are: the company's, those of a company above it, or the standard ones. */
  source: 'own' | 'inherited' | 'standard';
  subject: string;
  /** With the names of values in braces. */
  text: string;
  /** Of the company's own words. */
  updated_at: string | null;
}

export interface EnrolmentCode {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  /** Only in the answer that made it; afterwards null. */
  code: string | null;
  /** The last four characters. */
  code_hint: string;
  /** One line that joins a device; only in the answer that made the code. */
  command: string | null;
  /** What a device must reach; only in the answer that made the code. */
  url: string | null;
  state: 'active' | 'used_up' | 'expired' | 'withdrawn';
  /** How many devices may join with it. */
  uses: number;
  used: number;
  name_prefix: string | null;
  tags: {
    id: number;
    name: string;
    color: string | null;
  }[];
  expires_at: string;
  user_id: number | null;
  user_name: string;
  created_at: string;
}

export interface EsimProfile {
  iccid: string;
  provider: string;
  name: string;
  nickname: string | null;
  state: 'enabled' | 'disabled';
  /** operational, test or provisioning. */
  class: string | null;
}

export interface File {
  /** The record's number. */
  id: number;
  /** null: of the whole installation. */
  company_id: number | null;
  company_name: string | null;
  /** The device that it came from. */
  device_id: number | null;
  device_name: string | null;
  owner: 'company' | 'device' | 'global';
  type: 'config' | 'firmware' | 'global_firmware' | 'device_task_manager_file' | 'custom_file' | 'eventslog' | 'troubleshoot' | 'periodic_backup';
  name: string;
  description: string | null;
  /** Bytes. */
  file_size: number;
  /** Hex. */
  sha256: string;
  /** Read from the name of a firmware. */
  device_model: string | null;
  /** Read from the name of a firmware. */
  version: string | null;
  /** An image that "the newest stable one" may mean. */
  is_stable: boolean;
  /** It has a signature of minisign or usign. */
  is_signed: boolean;
  created_at: string;
  updated_at: string;
}

export interface FoundService {
  id: number;
  device_id: number;
  device_name: string;
  company_name: string;
  destination_ip: string;
  destination_port: number;
  protocol: 'http' | 'https' | 'ssh' | 'sftp' | 'telnet' | 'vnc' | 'rdp';
  host_name: string | null;
  mac: string | null;
  has_entry: 0 | 1;
  found_at: string;
}

export interface GeneratedReport {
  /** The record's number. */
  id: number;
  name: string;
  description: string;
  company_id: number;
  company_name: string;
  report_template_id: number | null;
  report_template_name: string;
  type: 'single' | 'periodic';
  period: 'day' | 'week' | 'month' | 'custom';
  parameters: ('availability' | 'connection_uptime' | 'router_uptime' | 'data_usage' | 'signal' | 'temperature' | 'connection_type' | 'operator' | 'firmware' | 'actions' | 'alerts' | 'audit')[];
  /** The first day, UTC. */
  start_date: string;
  /** The last day. */
  end_date: string;
  state: 'queued' | 'running' | 'finished' | 'cancelled';
  job_id: number | null;
  user_name: string;
  created_at: string;
}

export interface HistoryEntry {
  /** The record's number. */
  id: number;
  created_at: string;
  user_id: number | null;
  user_name: string;
  /** The user for whom it was done, while impersonating. */
  on_behalf_of_name: string | null;
  company_id: number | null;
  company_name: string | null;
  /** <resource>.<verb>, such as devices.edit. */
  action: string;
  entity: string;
  entity_id: number | null;
  entity_name: string | null;
  /** The whole record before; null when it did not exist. */
  before: Record<string, unknown> | null;
  /** The whole record after; null when it is gone. */
  after: Record<string, unknown> | null;
  ip: string | null;
  /** The access token that was used instead of a session. */
  token_name: string | null;
  request_id: string | null;
  /** The form that it was entered in and its version, `<id>@<version>`, as the caller said. */
  form: string | null;
  /** Whether it was taken back. */
  is_undone: boolean;
  /** Whether the reader may undo it, as far as no later change builds on it. */
  is_undoable: boolean;
  /** The names of companies and tags in both records, by member and id; left out of the export. */
  labels?: Record<string, unknown>;
}

export interface HotspotVoucher {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  /** Name of the network on the cards. */
  ssid: string;
  amount: number;
  /** From the first sign-in on; 0: no limit. */
  minutes: number;
  /** 0: no limit. */
  megabytes: number;
  devices_count: number;
  state: 'active' | 'expired' | 'revoked';
  ends_at: string | null;
  created_at: string;
}

export interface Hotspot {
  /** The device's number. */
  id: number;
  name: string;
  model: string | null;
  description: string | null;
  firmware: string | null;
  status: 'online' | 'offline' | 'not_activated';
  company_id: number;
  company_name: string;
  /** Names of its networks. */
  ssid_names: string | null;
  is_esim_bootstrap: boolean;
  /** People signed in. */
  online_users: number;
  updated_at: string | null;
}

export interface Image {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  /** Who uploaded it. */
  user_id: number | null;
  user_name: string;
  /** Of the uploaded file. */
  name: string;
  description: string;
  /** What it is for. */
  type: 'device_dashboard';
  /** Bytes of what is kept. */
  size: number;
  /** Pixels of the uploaded file. */
  original_width: number;
  /** Pixels of the uploaded file. */
  original_height: number;
  created_at: string;
  updated_at: string;
}

export interface ImpersonationLog {
  /** The record's number. */
  id: number;
  actor_name: string;
  user_id: number | null;
  user_name: string;
  company_id: number;
  company_name: string;
  reason: string;
  ip: string;
  state: 'running' | 'ended';
  started_at: string;
  expires_at: string;
  ended_at: string | null;
}

export interface Impersonation {
  /** The record's number. */
  id: number;
  user_id: number;
  username: string;
  email: string;
  company_id: number;
  company_name: string;
  reason: string;
  state: 'waiting' | 'allowed';
  expires_at: string;
  created_at: string;
}

export interface Invitation {
  /** The record's number. */
  id: number;
  email: string;
  role_id: number;
  role: string;
  role_title: string;
  company_id: number;
  company_name: string;
  state: 'open' | 'bounced' | 'expired';
  /** What the mail server said when it refused the address; null when it did not. */
  bounce_status: string | null;
  expires_at: string;
  created_at: string;
}

export interface JobStep {
  /** The record's number. */
  id: number;
  /** The target of the job that it belongs to. */
  target_id: number;
  device_id: number | null;
  device_name: string;
  /** From 1. */
  step: number;
  /** What the step is called: `flash`, `check`, or the name of a task. */
  name: string;
  state: 'ok' | 'failed' | 'timed-out';
  /** The exit code of a command. */
  code: number | null;
  /** For people. */
  message: string | null;
  output: string | null;
  /** The output was cut. */
  truncated: boolean;
  /** The file that the device sent. */
  file_id: number | null;
  finished_at: string;
}

export interface JobTarget {
  /** The record's number. */
  id: number;
  job_id: number;
  /** null after the device was removed. */
  device_id: number | null;
  device_name: string;
  company_id: number;
  company_name: string;
  state: 'queued' | 'sent' | 'running' | 'ok' | 'failed' | 'skipped' | 'timed-out' | 'cancelled';
  /** A code for why it was skipped: OFFLINE, NOT_ACTIVATED, QUARANTINED, NO_RIGHT, UNSUPPORTED, ALREADY_RUNNING, GONE, EXPIRED, WRONG_MODEL, DOWNGRADE, UP_TO_DATE, NO_FILE, PASSWORD_UNFIT, WRONG_FIRMWARE, NOT_READ, VALUE_MISSING, OUTSIDE_WINDOW. */
  reason: string | null;
  /** For people. */
  message: string | null;
  /** The exit code of a command. */
  code: number | null;
  output: string | null;
  /** The output was cut. */
  truncated: boolean;
  /** Which of its steps the device is at, or ended with; from 1. */
  step: number;
  /** How many steps there are, those after a failure included. */
  steps: number;
  /** What the step is called; null for work of one step. */
  step_name: string | null;
  /** The file that the device sent. */
  file_id: number | null;
  /** The wave that it was sent in, from 1; null before, and without waves. */
  wave: number | null;
  /** While it is queued: when its maintenance window opens; null where it waits for none. */
  due_at?: string | null;
  started_at: string | null;
  finished_at: string | null;
}

export interface JobWave {
  /** The same as `number`. */
  id: number;
  /** From 1. */
  number: number;
  /** dropped: the job ended before it. */
  state: 'planned' | 'running' | 'done' | 'dropped';
  /** Devices in it. */
  total: number;
  counts: {
    queued: number;
    sent: number;
    running: number;
    ok: number;
    failed: number;
    skipped: number;
    'timed-out': number;
    cancelled: number;
  };
  /** Of its devices that are done; null while none is. */
  failed_percent: number | null;
  began_at: string | null;
  ended_at: string | null;
}

export interface Job {
  /** The record's number. */
  id: number;
  /** What the job does: reboot, run, refresh, move, remove or form. */
  kind: string;
  state: 'queued' | 'running' | 'finished' | 'cancelled';
  company_id: number;
  company_name: string;
  user_id: number | null;
  user_name: string;
  /** The job whose failed targets this one retries, or whose devices it puts back. */
  parent_id: number | null;
  /** Where its events arrive. */
  channel: string;
  /** What was asked for, without secrets. */
  input: Record<string, unknown>;
  /** Why it was started, in the words of who did. */
  reason: string | null;
  total: number;
  /** The device of a job for a single one; null for more. */
  device_name?: string | null;
  /** Targets in each state. */
  counts: {
    queued: number;
    sent: number;
    running: number;
    ok: number;
    failed: number;
    skipped: number;
    'timed-out': number;
    cancelled: number;
  };
  /** Devices at a time, and the present wave; null when all are sent as fast as they can. */
  waves: {
    size: number;
    /** Devices in the first wave. */
    first: number;
    /** Each further wave waits until somebody lets it begin. */
    approve: boolean;
    /** It waits for that now. */
    is_waiting: boolean;
    stop_percent: number | null;
    /** What more failures than that do: cancel the rest, or pause the job until somebody resumes it. */
    on_stop: 'end' | 'hold';
    number: number;
    total: number;
    is_stopped: boolean;
    /** Between two waves. */
    pause_seconds: number | null;
    /** Devices that match the query of the job later, until it is over, get their turn too. */
    newcomers: boolean;
    /** While it waits: when the next wave may begin. */
    resumes_at: string | null;
  } | null;
  /** Since when nothing more is sent, because somebody paused it. */
  paused_at: string | null;
  /** When it begins; null: at once. */
  starts_at: string | null;
  /** Until when devices that are offline keep their place; null: they are skipped. */
  waits_until: string | null;
  /** When somebody cancelled it; what was under way then goes on to its end. */
  cancel_requested_at: string | null;
  /** Why the job ended early. */
  message: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface KeptMail {
  /** The record's number. */
  id: number;
  to: string;
  subject: string;
  company_name: string;
  created_at: string;
  /** When its text is forgotten. */
  expires_at: string;
}

export interface MailLog {
  /** The record's number. */
  id: number;
  to: string;
  subject: string;
  /** What the mail is about. */
  type: 'code' | 'invitation' | 'new-password' | 'confirm-email' | 'email-asked' | 'email-changed' | 'impersonation-asked' | 'automation' | 'alerts' | 'report' | 'access-shared' | 'digest' | 'test';
  /** sent: the mail server took it; waiting: it could not take it and is asked again; bounced: the address refuses mail for good; failed: given up; suppressed: not sent, because the address refused mail before; kept: there is no mail server, so it lies in the mailbox of this installation. */
  status: 'sent' | 'waiting' | 'bounced' | 'failed' | 'suppressed' | 'kept';
  /** What the mail server said. */
  error: string | null;
  /** How often the mail server was asked to take it. */
  tries: number;
  next_try_at: string | null;
  company_id: number;
  company_name: string;
  /** The host of the company's mail server that carries it; null: the mail server of the installation. */
  server: string | null;
  created_at: string;
}

export interface MaintenanceWindow {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  /** company: all devices of the company and below it. The nearest counts: a device's own windows, else those of its tags, else those of the nearest company. */
  applies_to: 'company' | 'device' | 'tag';
  device_ids: number[];
  tag_ids: number[];
  /** The days on which it opens. */
  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  /** HH:mm in the time zone. */
  time_from: string;
  /** HH:mm; no later than `time_from`: on the day after. */
  time_to: string;
  timezone: string;
  /** Where a device reports its own time zone, that one counts. */
  uses_device_time: boolean;
  is_active: boolean;
  /** When it opens next in its own time zone, or opened while it is open. */
  opens_at: string | null;
  /** Who set it up or changed it last. */
  user_name: string;
  created_at: string;
  updated_at: string;
}

export interface MonitoringAssignment {
  /** The record's number. */
  id: number;
  config_id: number;
  config_name: string;
  config_description: string | null;
  config_type: string;
  fields_count: number;
  company_id: number;
  device_id: number;
  device_name: string;
  device_description: string | null;
  enabled: boolean;
  /** Seconds. */
  period: number;
  editable: boolean;
  /** Bytes each day with this period. */
  daily_bytes: number;
  /** When the device answered last. */
  last_updated_at: string | null;
}

export interface MonitoringLog {
  /** The record's number. */
  id: number;
  device_id: number;
  device_name: string;
  config_id: number;
  config_name: string;
  /** A line for each variable that has no value. */
  log: string[];
  created_at: string;
  /** The lines of the log as one text. */
  reason: string;
}

export interface MonitoringTemplate {
  /** The record's number. */
  id: number;
  type: string;
  company_id: number;
  company_name: string;
  name: string;
  description: string | null;
  /** For which devices it is meant; nothing is refused by it. */
  api_system: string | null;
  api_version: string;
  device_documentation_id: number | null;
  /** Grows with each change of what is asked for. */
  version: number;
  /** Sources of a device, each with the variables that are read from its answer. */
  data: {
    url: string;
    query_parameters: {
      key: string;
      value: string[];
    }[];
    variables: {
      id: string;
      filter: string;
      type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
      default?: string;
      transform?: Record<string, unknown>;
      description?: string;
      enum?: string[];
    }[];
  }[];
  /** Name, description, version and data once more, as the documented calls have them. */
  config: Record<string, unknown>;
  enabled: boolean;
  /** Seconds: the default for devices that it is assigned to. */
  period: number;
  device_count: number;
  variables_count: number;
  /** Bytes that its devices send each day with their periods: by what each answered last, else estimated. */
  daily_bytes: number;
  /** What a device sends with one answer, on average; null before the first. */
  answer_bytes: number | null;
  user_name: string;
  created_at: string;
  updated_at: string;
}

export interface MonthStatistic {
  /** The record's number. */
  id: number;
  /** In UTC, `YYYY-MM`. */
  month: string;
  devices_joined: number;
  devices_removed: number;
  /** Devices that were heard of, each once, for the company that they were in first; null for months before the counting began. For who sees devices. */
  devices_active: number | null;
  /** Companies made in the month that are still there. */
  new_companies: number;
  /** People who joined a company in the month and still belong to it. */
  new_people: number;
  jobs: number;
  /** Rows of the history. */
  changes: number;
  /** Credits and packs that devices used, and credits spent for data. */
  credits_used: number;
  /** Bytes that devices sent and received; null for months of which not every day is kept. For who sees devices. */
  data_used: number | null;
  /** Alerts raised in the month whose devices are still there. */
  alerts_raised: number;
  /** Remote sessions that were opened. */
  remote_sessions: number;
  /** Reports made in the month that are still there. */
  reports_made: number;
}

export interface NotificationRule {
  /** The record's number. */
  id: number;
  /** The company with all below it; null for every company. */
  company_id: number | null;
  company_name: string | null;
  /** Types of notification that the bell shows. */
  in_console: string[];
  /** Types of notification in the daily mail. */
  by_mail: string[];
  updated_at: string;
  /** From which severity on alerts are mailed at once. */
  alert_mail: 'none' | 'info' | 'warning' | 'critical';
  /** How often a mail says again that alerts wait for an answer; 0: never. */
  remind_minutes: number;
}

export interface Notification {
  /** The record's number. */
  id: number;
  type: 'deviceOffline' | 'deviceOnline' | 'deviceQuarantined' | 'deviceLimited' | 'jobFinished' | 'jobFailed' | 'invitationAccepted' | 'mailBounced' | 'deviceAlert' | 'deviceAutomation' | 'creditAmountTooLow' | 'remoteAccessAsked';
  /** The sentence in English; the console writes it in the reader's language. */
  summary: string;
  /** How often it happened while nobody looked. */
  count: number;
  company_id: number;
  company_name: string;
  /** The device, job or user, if it has a number. */
  subject_id: number | null;
  /** Empty when several things stand together. */
  subject_name: string;
  /** Further parts of the sentence. */
  details: Record<string, unknown>;
  /** The console's page about it. */
  link: string;
  created_at: string;
  /** When it last happened. */
  updated_at: string;
  seen_at: string | null;
}

export interface OnCallSchedule {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  /** In the order of their turns. */
  user_ids: number[];
  people: string[];
  shift_days: 1 | 7;
  /** The day of the first turn, `2026-11-02`. */
  starts_on: string;
  handover_hour: number;
  timezone: string;
  least_severity: 'info' | 'warning' | 'critical';
  /** Minutes without an answer until whose turn it is is mailed. */
  after_minutes: number;
  /** Minutes from each step to the next: the next person, then everybody. */
  next_minutes: number;
  on_call_name: string | null;
  next_name: string | null;
  handover_at: string | null;
  /** Who set it up or changed it last. */
  user_name: string;
  created_at: string;
  updated_at: string;
}

export interface OnlineStatistic {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  /** Devices that sent readings in the period, or are online at its end. */
  online: number;
  offline: number;
}

export interface PasswordList {
  /** The number of the job. */
  id: number;
  company_id: number;
  company_name: string;
  /** Who started the job, and may download the list. */
  user_name: string;
  is_mine: boolean;
  /** waiting: devices have not answered yet. */
  state: 'waiting' | 'ready' | 'downloaded' | 'expired';
  completed: number;
  total: number;
  created_at: string;
  updated_at: string;
  /** When the passwords were deleted. */
  deleted_at: string | null;
}

export interface PasswordLook {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  device_id: number | null;
  device_name: string;
  username: string;
  user_id: number | null;
  user_name: string;
  reason: string;
  ip: string;
  at: string;
}

export interface PasswordPlan {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  /** company: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  device_ids: number[];
  tag_ids: number[];
  username: string;
  /** Characters of the new passwords. */
  length: number;
  use_special: boolean;
  every_days: number;
  is_active: boolean;
  /** With whose rights it runs. */
  user_name: string;
  next_at: string | null;
  last_at: string | null;
  last_job_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface PeopleStatistic {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  people_count: number;
  /** People who signed in within the last 7 days. */
  active_week: number;
  /** People who signed in within the last 30 days. */
  active_month: number;
  never_signed_in: number;
  /** People with a second factor or a passkey. */
  second_factor_count: number;
  disabled_count: number;
  /** Invitations that can still be accepted. */
  invitations_count: number;
  /** Service accounts. */
  programs_count: number;
}

export interface Permission {
  /** The record's number. */
  id: number;
  name: string;
  title: string;
  description: string;
  category: string;
}

export interface RemoteConsent {
  id: number;
  device_id: number;
  device_name: string;
  company_id: number;
  company_name: string;
  /** Who asks. */
  user_name: string;
  /** The company of the person who asks. */
  user_company: string;
  purpose: string;
  /** timed-out: nobody answered. over: it was given and its time is up. */
  state: 'asked' | 'given' | 'refused' | 'timed-out' | 'over';
  /** Whether the caller may allow or refuse it. */
  can_decide: 0 | 1;
  decided_by_name: string | null;
  decided_at: string | null;
  asked_at: string;
  expires_at: string;
}

export interface RemoteEntry {
  id: number;
  device_id: number;
  device_name: string;
  company_id: number;
  company_name: string;
  name: string;
  protocol: 'http' | 'https' | 'ssh' | 'sftp' | 'telnet' | 'vnc' | 'rdp';
  /** 127.0.0.1 is the device itself. */
  destination_ip: string;
  destination_port: number;
  /** The device's own page or shell. */
  is_main: 0 | 1;
  /** vpn: by the address that the device has in a VPN hub and no other way. */
  way: 'auto' | 'vpn';
  /** People who connect have to sign in there. */
  credentials_required: 0 | 1;
  /** Of Windows, for RDP. */
  login_domain: string;
  /** Layout of the keyboard for RDP; empty: an American one. */
  keyboard: string;
  /** Whether the sign-in form of a web page is filled with the stored credentials, and sent. */
  login_form: 'fill' | 'send' | 'off';
  /** This server can open it. RDP needs xfreerdp and Xtigervnc there. */
  can_connect: 0 | 1;
  /** They are stored on the server, and no reader sees them. */
  has_credentials: 0 | 1;
  /** What the last check found. */
  state: 'blocked' | 'open' | 'closed' | 'silent' | 'unchecked';
  checked_at: string | null;
  device_status: number | null;
  /** Of the reader. */
  is_favourite: 0 | 1;
  tags: {
    id: number;
    name: string;
    color: string | null;
  }[];
  created_at: string;
  updated_at: string;
}

export interface RemoteLink {
  id: number;
  entry_id: number;
  entry_name: string;
  protocol: 'http' | 'https' | 'ssh' | 'sftp' | 'telnet' | 'vnc' | 'rdp';
  device_id: number;
  device_name: string;
  company_id: number;
  company_name: string;
  email: string;
  purpose: string;
  ticket_number: string | null;
  created_by_name: string;
  state: 'open' | 'expired' | 'revoked';
  uses: number;
  used_at: string | null;
  expires_at: string;
  created_at: string;
}

export interface RemoteSession {
  id: number;
  type: 'webui' | 'lan-webui' | 'cli';
  protocol: 'http' | 'https' | 'ssh' | 'sftp' | 'telnet' | 'vnc' | 'rdp';
  device_id: number | null;
  device_name: string;
  entry_id: number | null;
  entry_name: string;
  destination: string;
  user_id: number | null;
  username: string;
  company_id: number;
  company_name: string;
  /** Of the person. */
  ip: string;
  start_time: string;
  end_time: string | null;
  /** It ends then at the latest. */
  ends_at: string;
  end_reason: 'left' | 'ended' | 'killed' | 'idle' | 'expired' | 'right-lost' | 'device-moved' | 'device-removed' | 'entry-removed' | 'entry-changed' | 'blocked' | 'no-data' | 'consent-refused' | 'stopping' | 'server-lost' | 'not-opened' | 'wrong-person' | 'failed' | null;
  active: 0 | 1;
  /** Bytes to the device. */
  input_data: number;
  /** Bytes from the device. */
  output_data: number;
  /** Opened by a link. */
  is_shared: 0 | 1;
  has_recording: 0 | 1;
}

export interface RemovedCompany {
  /** The record's number. */
  id: number;
  name: string;
  parent_id: number | null;
  parent_name: string | null;
  /** Who removed it. */
  user_name: string;
  removed_at: string;
  /** When it can be restored no more. */
  purge_at: string;
}

export interface RemovedDevice {
  /** The record's number. */
  id: number;
  name: string;
  serial: string;
  mac: string;
  model: string;
  company_id: number;
  /** Where it was, and comes back to. */
  company_name: string;
  /** Who removed it. */
  user_name: string;
  /** false: a device with its serial number has joined since. */
  is_restorable: boolean;
  removed_at: string;
  /** When it can be restored no more. */
  purge_at: string;
}

export interface Report {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  description: string;
  type: 'single' | 'periodic';
  /** The last whole day, week (from Monday) or month, UTC, or chosen days. */
  period: 'day' | 'week' | 'month' | 'custom';
  parameters: ('availability' | 'connection_uptime' | 'router_uptime' | 'data_usage' | 'signal' | 'temperature' | 'connection_type' | 'operator' | 'firmware' | 'actions' | 'alerts' | 'audit')[];
  /** Whose numbers the reports show. */
  monitoring_templates: number[];
  /** company: all devices of the company and below it. */
  applied_by: 'company' | 'device' | 'tag';
  apply_list: number[];
  /** Names of what the caller sees of it. */
  apply_list_names: string[];
  device_ids: number[];
  tag_ids: number[];
  is_active: boolean;
  start_date: string | null;
  end_date: string | null;
  /** HH:mm in the time zone. */
  time: string;
  timezone: string;
  next_at: string | null;
  generated_at: string | null;
  /** With whose rights periodic reports are made. */
  user_name: string;
  created_at: string;
  updated_at: string;
  /** Addresses that each report goes to. */
  mail_to: string[];
  mail_language: 'en' | 'nb' | 'ja' | 'uk';
  /** The mail server that carries it; null: the default one. */
  smtp_config_id: number | null;
}

export interface Role {
  /** The record's number. */
  id: number;
  title: string;
  /** The role's key, such as end_user. */
  name: string;
  /** null: a built-in role. */
  company_id: number | null;
  company_name: string | null;
  description: string | null;
  /** What its holders see: everything, their company and below, or their company only. */
  scope: 'all' | 'tree' | 'company';
  /** Where its holders begin after signing in: the page that they used last, the start page, or the list of devices. */
  start_page: 'last' | 'home' | 'devices';
  /** A built-in role. */
  is_default: boolean;
  permissions_count: number;
  /** Its holders, of those that the caller sees. */
  users_count: number;
  /** Keys of the built-in roles that its holders may give to people whom they invite. */
  can_invite_roles: string[];
  created_at: string;
  updated_at: string;
}

export interface SerialNumber {
  id: number;
  serial: string;
  /** Empty: every device with this serial number. */
  mac: string;
  imei: string;
  model: string;
  status: 'approved' | 'denied';
  /** Who decided. */
  user_name: string;
  created_at: string;
  updated_at: string;
}

export interface ServiceAccount {
  /** The number of its user. */
  id: number;
  name: string;
  description: string;
  company_id: number;
  company_name: string;
  role_id: number;
  role_name: string;
  role_title: string;
  is_disabled: boolean;
  /** Tokens that work today. */
  tokens_count: number;
  /** When one of its tokens was used last. */
  last_used_at: string | null;
  created_at: string;
}

export interface Setting {
  key: string;
  /** Any JSON value. */
  value: unknown;
}

export interface SigningKey {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  /** 16 hex digits, as minisign and usign name keys. */
  key_id: string;
  /** Base64 of the 32 bytes of the Ed25519 key. */
  public_key: string;
  /** Who added it. */
  user_name: string;
  created_at: string;
}

export interface Sim {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  iccid: string;
  imsi: string | null;
  /** The network in which it was last. */
  operator: string | null;
  /** As somebody entered it. */
  phone_number: string | null;
  note: string | null;
  /** active: its device uses it; standby: it is in a device that uses another one; removed: it is in no device. */
  state: 'active' | 'standby' | 'removed';
  /** The device that it is in. */
  device_id: number | null;
  device_name: string | null;
  /** 1 or 2. */
  modem: number | null;
  slot: number | null;
  /** Bytes since its month began, over all devices that held it. */
  used_bytes: number;
  /** Bytes that it may use in a month. null: no limit. */
  limit_bytes: number | null;
  /** The same in gigabytes of 1024³ bytes. */
  limit_gb: number | null;
  /** Of the limit. */
  used_percent: number | null;
  /** near: from 80 percent on. */
  limit_state: 'none' | 'within' | 'near' | 'over';
  /** The day of the month on which its month begins. */
  starts_on: number;
  month_since: string;
  /** Bytes expected by the end of its month. null: too little data. */
  forecast_bytes: number | null;
  /** The day on which the limit is expected to be reached, or was. */
  reached_on: string | null;
  first_seen_at: string;
  last_seen_at: string;
}

export interface Site {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
  contact_name: string | null;
  contact_phone: string | null;
  contact_email: string | null;
  notes: string | null;
  /** Devices there that the reader sees. */
  devices_count: number;
  /** Those of them that are offline. */
  offline_count: number;
  created_at: string;
  updated_at: string;
  /** The device that the others at the site are behind. */
  router_id: number | null;
  router_name: string | null;
}

export interface SuppressedEmail {
  /** The record's number. */
  id: number;
  email: string;
  /** What the mail server said. */
  reason: string;
  company_id: number;
  company_name: string;
  created_at: string;
}

export interface TagRun {
  /** The record's number. */
  id: number;
  action_tag_id: number;
  action_tag_name: string;
  action_tag_description: string | null;
  device_id: number;
  device_name: string;
  device_serial: string;
  action_name: 'run' | 'reboot' | 'refresh' | 'firmware_upload' | 'config_upload' | 'execute_tasks_group' | 'apply_template';
  action_initialized_from: 'tag_action';
  request_target_state: 'waiting' | 'refused' | 'queued' | 'sent' | 'running' | 'ok' | 'failed' | 'skipped' | 'timed-out' | 'cancelled';
  reason: 'NO_RIGHT' | 'ALREADY_RUNNING' | null;
  /** With whose rights it runs. */
  user_name: string;
  job_id: number | null;
  /** The job's number as text, as the public API has it. */
  scheduler_id: string | null;
  /** What the action works with: `source_name` is the command, or the name of the file or of the list of tasks. */
  additional_information: {
    source_id: number | null;
    source_name: string | null;
  };
  /** What became of it so far, oldest first. */
  events: {
    /** The state it came into. */
    action: string;
    message: string;
    created_at: string;
    /** The job's number as text. */
    reference_id: string | null;
  }[];
  created_at: string;
  finished_at: string | null;
}

export interface Tag {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  description: string | null;
  /** #rrggbb. */
  color: string | null;
  devices_count: number;
  created_at: string;
  updated_at: string;
  /** What the tag does to devices that get it; for those who see device actions. */
  actions?: {
    tag_id: number;
    action: 'run' | 'reboot' | 'refresh' | 'firmware_upload' | 'config_upload' | 'execute_tasks_group' | 'apply_template';
    /** The file that is put on devices, or the list of tasks; null for other actions. */
    source_id: number | null;
    /** The command, or the name of the file or of the list of tasks. */
    source_name: string | null;
    created_at: string;
  }[];
}

export interface TaskGroupLog {
  id: number;
  device_id: number;
  device_name: string;
  group_id: number;
  name: string;
  job_id: number;
  status: 'processing' | 'completed' | 'failed';
  created_at: string;
  finished_at: string | null;
}

export interface TaskGroup {
  id: number;
  name: string;
  company_id: number;
  company_name: string;
  tasks_count: number;
  created_at: string;
  updated_at: string;
}

export interface TaskLog {
  id: number;
  group_log_id: number;
  group_log_name: string;
  device_name: string;
  type: 'command' | 'upload_file' | 'download_file';
  name: string;
  /** What it does, by kind: command and acceptable_codes, file_id and target_path, or file. */
  data: Record<string, unknown>;
  /** state, code, message, output, file_id. */
  result: Record<string, unknown>;
  created_at: string;
}

export interface TaskPlan {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  group_id: number;
  group_name: string;
  /** company: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  device_ids: number[];
  tag_ids: number[];
  period: 'hours' | 'day' | 'week' | 'month';
  /** With the period hours. */
  every_hours: number | null;
  /** 1 (Monday) to 7. */
  weekday: number | null;
  month_day: number | null;
  /** HH:mm in the time zone. */
  time: string;
  timezone: string;
  /** Of the variables of the list. */
  values: {
    name: string;
    value: string;
  }[];
  is_active: boolean;
  /** With whose rights it runs. */
  user_name: string;
  next_at: string | null;
  last_at: string | null;
  last_job_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface Task {
  id: number;
  group_id: number;
  group_name: string;
  company_id: number;
  order: number;
  type: 'command' | 'upload_file' | 'download_file';
  name: string;
  /** What it does, by kind: command and acceptable_codes, file_id and target_path, or file. */
  data: Record<string, unknown>;
  /** Seconds. */
  timeout: number;
  stop_on_failure: boolean;
  created_at: string;
  updated_at: string;
}

export interface TerminalKey {
  id: number;
  label: string;
  text: string;
  presses_enter: boolean;
  is_shared: boolean;
  can_edit: boolean;
  user_name: string;
  updated_at: string;
}

export interface UserAccess {
  /** The user's number. */
  id: number;
  username: string;
  email: string;
  /** Null for callers who may not change users. */
  has_second_factor: boolean | null;
  /** One for each company that the user belongs to and the caller sees. */
  places: {
    company_id: number;
    company_name: string;
    /** Cannot sign in to this company. */
    is_disabled: boolean;
    role_id: number;
    /** The role's key. */
    role_name: string;
    role_title: string;
    /** The company whose own role it is; null: a built-in role. */
    role_company_name: string | null;
    scope: 'all' | 'tree' | 'company';
    /** Their names, all of them given by the role; null for callers who may not see them. */
    permissions: string[] | null;
    /** Companies in reach, of those that the caller sees. */
    companies_count: number;
    /** The first of them, in the order of the tree. */
    companies: {
      id: number;
      name: string;
      level: number;
    }[];
  }[];
}

export interface User {
  /** The record's number. */
  id: number;
  username: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  role_id: number;
  /** The role's key, such as end_user. */
  role: string;
  role_title: string;
  company_id: number;
  company_name: string;
  company_level: number;
  company_parent_id: number | null;
  is_disabled: boolean;
  /** The companies that this person belongs to, as far as the caller sees them. */
  memberships: {
    company_id: number;
    company_name: string;
    role_id: number;
    role_title: string;
    is_disabled: boolean;
  }[];
  last_login_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface View {
  /** The record's number. */
  id: number;
  /** The list that it is of. */
  resource: string;
  name: string;
  /** `company`: everybody in the company; `everyone`: also the companies below it. */
  share: 'private' | 'company' | 'everyone';
  /** Null: of every company. */
  company_id: number | null;
  /** Who made it. */
  user_name: string;
  is_own: boolean;
  /** Whether the reader may change and remove it. */
  can_edit: boolean;
  /** The list's address after the question mark, without page and view. */
  query: string;
  /** How the columns stand: JSON of the console. */
  columns: string | null;
  /** Roles for which the list opens with it, as far as the reader may change it. */
  default_roles: number[];
  created_at: string;
  updated_at: string;
}

export interface VpnClient {
  /** The record's number. */
  id: number;
  vpn_hub_id: number;
  vpn_hub_name: string;
  /** The company of the hub. */
  company_id: number;
  name: string;
  type: 'device' | 'user' | 'custom';
  /** The device or the user; null for a custom client. */
  object_id: number | null;
  ip: string;
  enabled: 0 | 1;
  /** `moved_away`: its device or user is of another company than the hub now, so the hub lets it in no more · `expired`: its certificate. */
  state: 'ready' | 'no_profile' | 'disabled' | 'moved_away' | 'expired';
  created_at: string;
  company_name: string;
  mode: 'static' | 'dhcp';
  /** Of its device; 1 online. */
  status: number | null;
  model: string | null;
  is_facelift: 0 | 1;
  is_esim_bootstrap: boolean;
  connected: 0 | 1;
  /** Where it connects from. */
  remote: string | null;
  connected_at: string | null;
  session_sent: number;
  session_received: number;
  /** Bytes of all its sessions. */
  total_used: number;
  expires_at: string | null;
  expiry: 'none' | 'fine' | 'soon' | 'past';
  forward_lan: 0 | 1;
  forward_wan: 0 | 1;
  /** Whether its device has applied the profile. */
  sync_state: 'waiting' | 'done' | 'failed' | null;
  synced_at: string | null;
  groups: {
    id: number;
    name: string;
    color: string;
  }[];
  quick_hub: 0 | 1;
}

export interface VpnConnection {
  /** The record's number. */
  id: number;
  vpn_hub_id: number;
  vpn_user_id: number | null;
  name: string;
  visual_name: string;
  type: 'device' | 'user' | 'custom';
  /** Where it connected from. */
  ip: string | null;
  success: 0 | 1;
  /** 0 connected · 2 certificate revoked · 3 disabled or unknown · 4 certificate expired · 5 handshake failed. */
  code: number;
  reason: 'connected' | 'ended' | 'revoked' | 'disabled' | 'expired' | 'handshake';
  connected_at: string;
  disconnected_at: string | null;
  session_bytes_send: number;
  session_bytes_received: number;
}

export interface VpnHub {
  /** The record's number. */
  id: number;
  company_id: number;
  company_name: string;
  name: string;
  description: string | null;
  /** Host name or address by which clients reach it. */
  endpoint: string;
  port: number;
  /** First address of its network. */
  ip: string;
  netmask: string;
  /** Its own address in its network. */
  hub_ip: string;
  enabled: 0 | 1;
  public_key: string;
  clients_count: number;
  created_at: string;
  updated_at: string;
  hub_zone: string;
  hub_zone_name: string;
  vpn_type: 'wireguard' | 'tun' | 'tap';
  quick_hub: 0 | 1;
  /** `configuration`: this server runs no hubs in its zone · `away`: the program that runs them does not answer. */
  run_state: 'running' | 'starting' | 'stopped' | 'failed' | 'away' | 'configuration';
  /** Why it does not run. */
  run_error: string | null;
  disabled_reason: 'data_used' | 'inactive' | 'inactive_without_users' | 'expired' | null;
  disabled_on_company_data_used: 0 | 1;
  disabled_for_inactive: 0 | 1;
  disabled_for_inactive_without_users: 0 | 1;
  disabled_because_expired: 0 | 1;
  /** Clients that are connected now. */
  online_count: number;
  bytes_used: number;
  /** Unix seconds. */
  start_time: number | null;
  /** Unix seconds: a quick hub is gone then. */
  end_time: number | null;
  ends_at: string | null;
  ca_crt_expire_at: string | null;
  server_crt_expire_at: string | null;
  last_used_at: string | null;
  tags: {
    id: number;
    name: string;
    color: string;
  }[];
  tag_id: number[];
  /** The device of a quick hub. */
  device_id: number | null;
  device_name: string | null;
}

export interface VpnRoute {
  /** The record's number. */
  id: number;
  vpn_hub_id: number;
  /** The client that the network is behind. */
  vpn_hub_user_id: number;
  client_name: string;
  name: string;
  ip: string;
  netmask: string;
  created_at: string;
}

export interface VpnRule {
  /** The record's number. */
  id: number;
  vpn_hub_id: number;
  from_client_id: number | null;
  from_name: string;
  to_client_id: number | null;
  to_name: string;
  created_at: string;
  from_tag_id: number | null;
  to_tag_id: number | null;
  from_kind: 'client' | 'tag';
  to_kind: 'client' | 'tag';
}

export interface WirelessDevice {
  /** The device's number. */
  id: number;
  name: string;
  model: string | null;
  description: string | null;
  firmware: string | null;
  status: 'online' | 'offline' | 'not_activated';
  company_id: number;
  company_name: string;
  /** Names of its networks. */
  ssid_names: string | null;
  clients_count: number;
  /** Bytes of all networks since the device started. */
  received: number;
  /** Bytes of all networks since the device started. */
  sent: number;
  created_at: string;
  updated_at: string | null;
}

/** The record of each entity, as the API returns it. */
export interface Entities {
  access_token: AccessToken;
  action_entry: ActionEntry;
  alert_configuration: AlertConfiguration;
  alert: Alert;
  announcement: Announcement;
  application: Application;
  authorized_device: AuthorizedDevice;
  automation_device: AutomationDevice;
  automation_log: AutomationLog;
  automation: Automation;
  backup_rule: BackupRule;
  change_set: ChangeSet;
  change: Change;
  company_node: CompanyNode;
  company_statistic: CompanyStatistic;
  company_token: CompanyToken;
  company: Company;
  configuration_drift: ConfigurationDrift;
  configuration_template: ConfigurationTemplate;
  configuration_variable: ConfigurationVariable;
  connection_entry: ConnectionEntry;
  credit_code: CreditCode;
  credit_entry: CreditEntry;
  credit_holding: CreditHolding;
  credit: Credit;
  current_user: CurrentUser;
  dashboard: Dashboard;
  data_purchase: DataPurchase;
  day_statistic: DayStatistic;
  device_credit: DeviceCredit;
  device_details: DeviceDetails;
  device_esim: DeviceEsim;
  device_event: DeviceEvent;
  device_hotspot: DeviceHotspot;
  device_note: DeviceNote;
  device_password: DevicePassword;
  device_wireless: DeviceWireless;
  device: Device;
  email_configuration: EmailConfiguration;
  email_template: EmailTemplate;
  enrolment_code: EnrolmentCode;
  esim_profile: EsimProfile;
  file: File;
  found_service: FoundService;
  generated_report: GeneratedReport;
  history_entry: HistoryEntry;
  hotspot_voucher: HotspotVoucher;
  hotspot: Hotspot;
  image: Image;
  impersonation_log: ImpersonationLog;
  impersonation: Impersonation;
  invitation: Invitation;
  job_step: JobStep;
  job_target: JobTarget;
  job_wave: JobWave;
  job: Job;
  kept_mail: KeptMail;
  mail_log: MailLog;
  maintenance_window: MaintenanceWindow;
  monitoring_assignment: MonitoringAssignment;
  monitoring_log: MonitoringLog;
  monitoring_template: MonitoringTemplate;
  month_statistic: MonthStatistic;
  notification_rule: NotificationRule;
  notification: Notification;
  on_call_schedule: OnCallSchedule;
  online_statistic: OnlineStatistic;
  password_list: PasswordList;
  password_look: PasswordLook;
  password_plan: PasswordPlan;
  people_statistic: PeopleStatistic;
  permission: Permission;
  remote_consent: RemoteConsent;
  remote_entry: RemoteEntry;
  remote_link: RemoteLink;
  remote_session: RemoteSession;
  removed_company: RemovedCompany;
  removed_device: RemovedDevice;
  report: Report;
  role: Role;
  serial_number: SerialNumber;
  service_account: ServiceAccount;
  setting: Setting;
  signing_key: SigningKey;
  sim: Sim;
  site: Site;
  suppressed_email: SuppressedEmail;
  tag_run: TagRun;
  tag: Tag;
  task_group_log: TaskGroupLog;
  task_group: TaskGroup;
  task_log: TaskLog;
  task_plan: TaskPlan;
  task: Task;
  terminal_key: TerminalKey;
  user_access: UserAccess;
  user: User;
  view: View;
  vpn_client: VpnClient;
  vpn_connection: VpnConnection;
  vpn_hub: VpnHub;
  vpn_route: VpnRoute;
  vpn_rule: VpnRule;
  wireless_device: WirelessDevice;
}

export type EntityName = keyof Entities;

/** The field names of each entity. */
export interface EntityFields {
  access_token: 'id' | 'name' | 'token' | 'token_hint' | 'scopes' | 'expires_at' | 'last_used_at' | 'last_used_ip' | 'created_at';
  action_entry: 'id' | 'job_id' | 'created_at' | 'kind' | 'device_id' | 'device_name' | 'company_id' | 'company_name' | 'user_id' | 'user_name' | 'state' | 'finished_at';
  alert_configuration: 'id' | 'device_id' | 'device_name' | 'company_id' | 'company_name' | 'automation_id' | 'type' | 'subtype' | 'alert_type_id' | 'alert_subtype_id' | 'action' | 'smtp_config_id' | 'receiver' | 'email_to' | 'subject' | 'message' | 'email_type' | 'enable' | 'redundancy_enable' | 'redundancy_interval' | 'user_id' | 'user_name' | 'created_at' | 'updated_at';
  alert: 'id' | 'device_id' | 'device_name' | 'company_id' | 'company_name' | 'automation_id' | 'name' | 'severity' | 'message' | 'alert_type' | 'alert_subtype' | 'state' | 'created_at' | 'ended_at' | 'acknowledged_at' | 'acknowledged_by' | 'snoozed_until' | 'cause_device_id' | 'cause_device_name' | 'is_silenced' | 'alert_type_id' | 'alert_subtype_id' | 'alerts_configs_id';
  announcement: 'id' | 'type' | 'summary' | 'company_id' | 'company_name' | 'audience' | 'period' | 'starts_at' | 'ends_at' | 'created_at';
  application: 'id' | 'company_id' | 'company_name' | 'name' | 'description' | 'client_id' | 'client_secret' | 'is_confidential' | 'redirect_uris' | 'scopes' | 'users_count' | 'created_at';
  authorized_device: 'id' | 'name' | 'serial' | 'mac' | 'imei' | 'model' | 'company_id' | 'company_name' | 'status' | 'quarantine' | 'code_hint' | 'created_at' | 'activated_at';
  automation_device: 'id' | 'device_id' | 'automation_id' | 'device_name' | 'serial' | 'mac' | 'model' | 'firmware' | 'enabled' | 'holds' | 'total_triggered_count' | 'period_triggered_count' | 'period_trigger_limit' | 'period_latest_reset' | 'last_triggered_at' | 'created_at';
  automation_log: 'id' | 'evaluation_id' | 'automation_id' | 'automation_name' | 'device_id' | 'device_name' | 'serial' | 'company_id' | 'company_name' | 'branch' | 'status' | 'overall_status' | 'action_status' | 'action_status_message' | 'evaluated_parameters' | 'evaluated_conditions' | 'actions' | 'conditions_body_version' | 'created_at' | 'finished_at';
  automation: 'id' | 'name' | 'description' | 'company_id' | 'company_name' | 'user_id' | 'user_name' | 'enabled' | 'applies_to' | 'device_ids' | 'tag_ids' | 'cooldown_enabled' | 'cooldown_duration' | 'recovery_duration' | 'delay_enabled' | 'delay_duration' | 'delay_repetitions_count' | 'period' | 'period_trigger_limit' | 'total_triggered_count' | 'devices_count' | 'active_devices_count' | 'automation_version' | 'conditions_body_version' | 'conditions_body' | 'created_at' | 'updated_at';
  backup_rule: 'id' | 'company_id' | 'company_name' | 'name' | 'applies_to' | 'device_ids' | 'tag_ids' | 'period' | 'weekday' | 'month_day' | 'time' | 'timezone' | 'keep' | 'is_active' | 'user_name' | 'next_at' | 'last_at' | 'last_job_id' | 'created_at' | 'updated_at';
  change_set: 'id' | 'company_id' | 'company_name' | 'name' | 'description' | 'state' | 'edits_count' | 'devices_count' | 'user_name' | 'reviewer_name' | 'reviewed_at' | 'review_note' | 'applied_at' | 'created_at' | 'updated_at';
  change: 'id' | 'created_at' | 'action' | 'entity' | 'entity_id' | 'entity_name' | 'count' | 'names' | 'from_name' | 'to_name' | 'user_id' | 'user_name' | 'on_behalf_of_name' | 'company_id' | 'company_name' | 'before' | 'after' | 'via' | 'ip' | 'token_name' | 'request_id' | 'form' | 'undone_count' | 'is_undoable' | 'labels';
  company_node: 'id' | 'name' | 'level' | 'parent_id' | 'children_count' | 'devices_count' | 'devices_below' | 'users_count' | 'users_below' | 'is_match';
  company_statistic: 'id' | 'company_id' | 'company_name' | 'level' | 'devices_count' | 'devices_online' | 'devices_offline' | 'devices_not_activated' | 'devices_pending' | 'tags_count' | 'files_size' | 'jobs_month' | 'automations_count' | 'alerts_open' | 'reports_count' | 'hubs_count' | 'hotspots_count' | 'remote_month' | 'created_at';
  company_token: 'id' | 'name' | 'token_hint' | 'state' | 'user_id' | 'user_name' | 'kind' | 'company_id' | 'company_name' | 'scopes' | 'expires_at' | 'last_used_at' | 'last_used_ip' | 'created_at';
  company: 'id' | 'name' | 'email' | 'level' | 'parent_id' | 'parent_name' | 'path' | 'users_count' | 'devices_count' | 'devices_below' | 'online_below' | 'can_use_parent_license' | 'show_payment' | 'credits_left' | 'packs_left' | 'remaining_data' | 'created_at' | 'updated_at';
  configuration_drift: 'id' | 'device_id' | 'device_name' | 'template_id' | 'template_name' | 'state' | 'revision' | 'present_revision' | 'differences_count' | 'differences' | 'fault' | 'fault_names' | 'applied_at' | 'compared_at';
  configuration_template: 'id' | 'company_id' | 'company_name' | 'name' | 'description' | 'system' | 'version' | 'revision' | 'base_id' | 'base_name' | 'template' | 'calls_count' | 'min_firmware' | 'max_firmware' | 'firmware' | 'devices_count' | 'differs_count' | 'user_name' | 'created_at' | 'updated_at';
  configuration_variable: 'id' | 'company_id' | 'company_name' | 'scope' | 'tag_id' | 'device_id' | 'owner_name' | 'name' | 'value' | 'is_secret' | 'user_name' | 'created_at' | 'updated_at';
  connection_entry: 'id' | 'created_at' | 'device_id' | 'device_name' | 'serial' | 'company_id' | 'company_name' | 'type' | 'code' | 'log' | 'ip';
  credit_code: 'id' | 'company_id' | 'company_name' | 'code_hint' | 'credit_type' | 'credit_type_name' | 'credits_amount' | 'is_used' | 'used_by_company_id' | 'used_by_company_name' | 'used_by_user_id' | 'comment' | 'email' | 'activated_at' | 'created_at';
  credit_entry: 'id' | 'created_at' | 'company_id' | 'company' | 'action' | 'action_type' | 'credit_type_id' | 'credit_type' | 'credit_type_name' | 'amount' | 'balance_after' | 'from_company' | 'to_company' | 'user_id' | 'user' | 'device_id' | 'serial' | 'mac' | 'pool_id' | 'expire_at';
  credit_holding: 'id' | 'company_id' | 'company_name' | 'level' | 'credits_left' | 'credits_below' | 'packs_left' | 'packs_below' | 'remaining_data' | 'data_below';
  credit: 'id' | 'company_id' | 'company_name' | 'parent_company_name' | 'credit_type_id' | 'credit_type' | 'credit_type_name' | 'credit_count' | 'credit_left' | 'credit_reserved' | 'expire_at' | 'assigned_at' | 'updated_at';
  current_user: 'id' | 'username' | 'email' | 'first_name' | 'last_name' | 'avatar_url' | 'company' | 'company_id' | 'company_name' | 'role' | 'role_id' | 'role_title' | 'start_page' | 'default_views' | 'scope' | 'email_verified' | 'tos_accepted' | 'mfa_type' | 'exp' | 'permissions' | 'last_login_at' | 'country_iso_code' | 'theme' | 'memberships' | 'impersonation_access_limit' | 'show_payment' | 'show_payment_control' | 'act' | 'isImpersonating';
  dashboard: 'id' | 'company_id' | 'company_name' | 'name' | 'kind' | 'share' | 'is_company_default' | 'is_own' | 'widgets' | 'version' | 'user_name' | 'created_at' | 'updated_at';
  data_purchase: 'id' | 'created_at' | 'company_id' | 'company' | 'data' | 'credits_used' | 'user_id' | 'user' | 'email';
  day_statistic: 'id' | 'day' | 'devices_reporting' | 'connections' | 'refusals' | 'devices_joined' | 'devices_removed';
  device_credit: 'id' | 'device_id' | 'device_name' | 'serial' | 'company_id' | 'company_name' | 'credit_type_id' | 'credit_type' | 'credit_type_name' | 'state' | 'auto_extend_credit' | 'starts_at' | 'expire_at';
  device_details: 'id' | 'received_at' | 'changed_at' | 'ports' | 'interfaces' | 'leases' | 'routes' | 'dns' | 'pins' | 'position' | 'modems' | 'wireless' | 'hotspots' | 'settings' | 'backed_up_at' | 'has_changed_since_backup';
  device_esim: 'id' | 'is_supported' | 'eid' | 'profiles' | 'read_at';
  device_event: 'id' | 'device_id' | 'company_id' | 'user_id' | 'serial' | 'type' | 'level' | 'status' | 'code' | 'log' | 'ip' | 'created_at';
  device_hotspot: 'id' | 'device_id' | 'hotspot_index' | 'ssid' | 'status' | 'hotspot_ip' | 'online_users' | 'auth_type' | 'accounts' | 'sessions' | 'read_at' | 'updated_at';
  device_note: 'id' | 'device_id' | 'device_name' | 'text' | 'user_name' | 'is_own' | 'created_at' | 'updated_at';
  device_password: 'id' | 'device_id' | 'device_name' | 'serial' | 'company_id' | 'company_name' | 'username' | 'is_proven' | 'changed_at' | 'job_id';
  device_wireless: 'id' | 'device_id' | 'wlan_id' | 'ssid' | 'active' | 'band' | 'channel' | 'received' | 'sent' | 'clients_count' | 'updated_at';
  device: 'id' | 'company_id' | 'company_name' | 'company_path' | 'model' | 'name' | 'description' | 'serial' | 'mac' | 'imei' | 'imsi' | 'iccid' | 'firmware' | 'status' | 'quarantine' | 'failed_auth_reason' | 'last_connection_at' | 'last_update_at' | 'created_at' | 'updated_at' | 'router_uptime' | 'signal' | 'rsrp' | 'rsrq' | 'sinr' | 'connection_type' | 'operator' | 'network_state' | 'operator_number' | 'cell_id' | 'lac' | 'sim_slot' | 'mobile_ip' | 'wan_state' | 'wan_ip' | 'lan_ip' | 'sent' | 'received' | 'temperature' | 'tags' | 'site_id' | 'site_name' | 'health' | 'custom' | 'configuration_state' | 'is_simulated' | 'agent' | 'os' | 'hostname' | 'timezone' | 'report_seconds' | 'load1' | 'mem_total_kb' | 'mem_available_kb' | 'user_set_latitude' | 'user_set_longitude' | 'dynamic_monitoring' | 'monitoring_enabled' | 'modem_manufacturer' | 'modem_model' | 'modem_firmware' | 'imei_2' | 'imsi_2' | 'iccid_2' | 'modem_manufacturer_2' | 'modem_model_2' | 'modem_firmware_2' | 'signal_2' | 'rsrp_2' | 'rsrq_2' | 'sinr_2' | 'connection_type_2' | 'operator_2' | 'operator_number_2' | 'network_state_2' | 'sim_slot_2' | 'cell_id_2' | 'lac_2' | 'mobile_ip_2' | 'sent_2' | 'received_2' | 'signal_day' | 'online_day';
  email_configuration: 'id' | 'company_id' | 'company_name' | 'name' | 'email' | 'host' | 'port' | 'security' | 'username' | 'is_default' | 'created_at';
  email_template: 'id' | 'company_id' | 'company_name' | 'type' | 'language' | 'source' | 'subject' | 'text' | 'updated_at';
  enrolment_code: 'id' | 'company_id' | 'company_name' | 'code' | 'code_hint' | 'command' | 'url' | 'state' | 'uses' | 'used' | 'name_prefix' | 'tags' | 'expires_at' | 'user_id' | 'user_name' | 'created_at';
  esim_profile: 'iccid' | 'provider' | 'name' | 'nickname' | 'state' | 'class';
  file: 'id' | 'company_id' | 'company_name' | 'device_id' | 'device_name' | 'owner' | 'type' | 'name' | 'description' | 'file_size' | 'sha256' | 'device_model' | 'version' | 'is_stable' | 'is_signed' | 'created_at' | 'updated_at';
  found_service: 'id' | 'device_id' | 'device_name' | 'company_name' | 'destination_ip' | 'destination_port' | 'protocol' | 'host_name' | 'mac' | 'has_entry' | 'found_at';
  generated_report: 'id' | 'name' | 'description' | 'company_id' | 'company_name' | 'report_template_id' | 'report_template_name' | 'type' | 'period' | 'parameters' | 'start_date' | 'end_date' | 'state' | 'job_id' | 'user_name' | 'created_at';
  history_entry: 'id' | 'created_at' | 'user_id' | 'user_name' | 'on_behalf_of_name' | 'company_id' | 'company_name' | 'action' | 'entity' | 'entity_id' | 'entity_name' | 'before' | 'after' | 'ip' | 'token_name' | 'request_id' | 'form' | 'is_undone' | 'is_undoable' | 'labels';
  hotspot_voucher: 'id' | 'company_id' | 'company_name' | 'name' | 'ssid' | 'amount' | 'minutes' | 'megabytes' | 'devices_count' | 'state' | 'ends_at' | 'created_at';
  hotspot: 'id' | 'name' | 'model' | 'description' | 'firmware' | 'status' | 'company_id' | 'company_name' | 'ssid_names' | 'is_esim_bootstrap' | 'online_users' | 'updated_at';
  image: 'id' | 'company_id' | 'company_name' | 'user_id' | 'user_name' | 'name' | 'description' | 'type' | 'size' | 'original_width' | 'original_height' | 'created_at' | 'updated_at';
  impersonation_log: 'id' | 'actor_name' | 'user_id' | 'user_name' | 'company_id' | 'company_name' | 'reason' | 'ip' | 'state' | 'started_at' | 'expires_at' | 'ended_at';
  impersonation: 'id' | 'user_id' | 'username' | 'email' | 'company_id' | 'company_name' | 'reason' | 'state' | 'expires_at' | 'created_at';
  invitation: 'id' | 'email' | 'role_id' | 'role' | 'role_title' | 'company_id' | 'company_name' | 'state' | 'bounce_status' | 'expires_at' | 'created_at';
  job_step: 'id' | 'target_id' | 'device_id' | 'device_name' | 'step' | 'name' | 'state' | 'code' | 'message' | 'output' | 'truncated' | 'file_id' | 'finished_at';
  job_target: 'id' | 'job_id' | 'device_id' | 'device_name' | 'company_id' | 'company_name' | 'state' | 'reason' | 'message' | 'code' | 'output' | 'truncated' | 'step' | 'steps' | 'step_name' | 'file_id' | 'wave' | 'due_at' | 'started_at' | 'finished_at';
  job_wave: 'id' | 'number' | 'state' | 'total' | 'counts' | 'failed_percent' | 'began_at' | 'ended_at';
  job: 'id' | 'kind' | 'state' | 'company_id' | 'company_name' | 'user_id' | 'user_name' | 'parent_id' | 'channel' | 'input' | 'reason' | 'total' | 'device_name' | 'counts' | 'waves' | 'paused_at' | 'starts_at' | 'waits_until' | 'cancel_requested_at' | 'message' | 'created_at' | 'started_at' | 'finished_at';
  kept_mail: 'id' | 'to' | 'subject' | 'company_name' | 'created_at' | 'expires_at';
  mail_log: 'id' | 'to' | 'subject' | 'type' | 'status' | 'error' | 'tries' | 'next_try_at' | 'company_id' | 'company_name' | 'server' | 'created_at';
  maintenance_window: 'id' | 'company_id' | 'company_name' | 'name' | 'applies_to' | 'device_ids' | 'tag_ids' | 'days' | 'time_from' | 'time_to' | 'timezone' | 'uses_device_time' | 'is_active' | 'opens_at' | 'user_name' | 'created_at' | 'updated_at';
  monitoring_assignment: 'id' | 'config_id' | 'config_name' | 'config_description' | 'config_type' | 'fields_count' | 'company_id' | 'device_id' | 'device_name' | 'device_description' | 'enabled' | 'period' | 'editable' | 'daily_bytes' | 'last_updated_at';
  monitoring_log: 'id' | 'device_id' | 'device_name' | 'config_id' | 'config_name' | 'log' | 'created_at' | 'reason';
  monitoring_template: 'id' | 'type' | 'company_id' | 'company_name' | 'name' | 'description' | 'api_system' | 'api_version' | 'device_documentation_id' | 'version' | 'data' | 'config' | 'enabled' | 'period' | 'device_count' | 'variables_count' | 'daily_bytes' | 'answer_bytes' | 'user_name' | 'created_at' | 'updated_at';
  month_statistic: 'id' | 'month' | 'devices_joined' | 'devices_removed' | 'devices_active' | 'new_companies' | 'new_people' | 'jobs' | 'changes' | 'credits_used' | 'data_used' | 'alerts_raised' | 'remote_sessions' | 'reports_made';
  notification_rule: 'id' | 'company_id' | 'company_name' | 'in_console' | 'by_mail' | 'updated_at' | 'alert_mail' | 'remind_minutes';
  notification: 'id' | 'type' | 'summary' | 'count' | 'company_id' | 'company_name' | 'subject_id' | 'subject_name' | 'details' | 'link' | 'created_at' | 'updated_at' | 'seen_at';
  on_call_schedule: 'id' | 'company_id' | 'company_name' | 'name' | 'user_ids' | 'people' | 'shift_days' | 'starts_on' | 'handover_hour' | 'timezone' | 'least_severity' | 'after_minutes' | 'next_minutes' | 'on_call_name' | 'next_name' | 'handover_at' | 'user_name' | 'created_at' | 'updated_at';
  online_statistic: 'id' | 'company_id' | 'company_name' | 'online' | 'offline';
  password_list: 'id' | 'company_id' | 'company_name' | 'user_name' | 'is_mine' | 'state' | 'completed' | 'total' | 'created_at' | 'updated_at' | 'deleted_at';
  password_look: 'id' | 'company_id' | 'company_name' | 'device_id' | 'device_name' | 'username' | 'user_id' | 'user_name' | 'reason' | 'ip' | 'at';
  password_plan: 'id' | 'company_id' | 'company_name' | 'name' | 'applies_to' | 'device_ids' | 'tag_ids' | 'username' | 'length' | 'use_special' | 'every_days' | 'is_active' | 'user_name' | 'next_at' | 'last_at' | 'last_job_id' | 'created_at' | 'updated_at';
  people_statistic: 'id' | 'company_id' | 'company_name' | 'people_count' | 'active_week' | 'active_month' | 'never_signed_in' | 'second_factor_count' | 'disabled_count' | 'invitations_count' | 'programs_count';
  permission: 'id' | 'name' | 'title' | 'description' | 'category';
  remote_consent: 'id' | 'device_id' | 'device_name' | 'company_id' | 'company_name' | 'user_name' | 'user_company' | 'purpose' | 'state' | 'can_decide' | 'decided_by_name' | 'decided_at' | 'asked_at' | 'expires_at';
  remote_entry: 'id' | 'device_id' | 'device_name' | 'company_id' | 'company_name' | 'name' | 'protocol' | 'destination_ip' | 'destination_port' | 'is_main' | 'way' | 'credentials_required' | 'login_domain' | 'keyboard' | 'login_form' | 'can_connect' | 'has_credentials' | 'state' | 'checked_at' | 'device_status' | 'is_favourite' | 'tags' | 'created_at' | 'updated_at';
  remote_link: 'id' | 'entry_id' | 'entry_name' | 'protocol' | 'device_id' | 'device_name' | 'company_id' | 'company_name' | 'email' | 'purpose' | 'ticket_number' | 'created_by_name' | 'state' | 'uses' | 'used_at' | 'expires_at' | 'created_at';
  remote_session: 'id' | 'type' | 'protocol' | 'device_id' | 'device_name' | 'entry_id' | 'entry_name' | 'destination' | 'user_id' | 'username' | 'company_id' | 'company_name' | 'ip' | 'start_time' | 'end_time' | 'ends_at' | 'end_reason' | 'active' | 'input_data' | 'output_data' | 'is_shared' | 'has_recording';
  removed_company: 'id' | 'name' | 'parent_id' | 'parent_name' | 'user_name' | 'removed_at' | 'purge_at';
  removed_device: 'id' | 'name' | 'serial' | 'mac' | 'model' | 'company_id' | 'company_name' | 'user_name' | 'is_restorable' | 'removed_at' | 'purge_at';
  report: 'id' | 'company_id' | 'company_name' | 'name' | 'description' | 'type' | 'period' | 'parameters' | 'monitoring_templates' | 'applied_by' | 'apply_list' | 'apply_list_names' | 'device_ids' | 'tag_ids' | 'is_active' | 'start_date' | 'end_date' | 'time' | 'timezone' | 'next_at' | 'generated_at' | 'user_name' | 'created_at' | 'updated_at' | 'mail_to' | 'mail_language' | 'smtp_config_id';
  role: 'id' | 'title' | 'name' | 'company_id' | 'company_name' | 'description' | 'scope' | 'start_page' | 'is_default' | 'permissions_count' | 'users_count' | 'can_invite_roles' | 'created_at' | 'updated_at';
  serial_number: 'id' | 'serial' | 'mac' | 'imei' | 'model' | 'status' | 'user_name' | 'created_at' | 'updated_at';
  service_account: 'id' | 'name' | 'description' | 'company_id' | 'company_name' | 'role_id' | 'role_name' | 'role_title' | 'is_disabled' | 'tokens_count' | 'last_used_at' | 'created_at';
  setting: 'key' | 'value';
  signing_key: 'id' | 'company_id' | 'company_name' | 'name' | 'key_id' | 'public_key' | 'user_name' | 'created_at';
  sim: 'id' | 'company_id' | 'company_name' | 'iccid' | 'imsi' | 'operator' | 'phone_number' | 'note' | 'state' | 'device_id' | 'device_name' | 'modem' | 'slot' | 'used_bytes' | 'limit_bytes' | 'limit_gb' | 'used_percent' | 'limit_state' | 'starts_on' | 'month_since' | 'forecast_bytes' | 'reached_on' | 'first_seen_at' | 'last_seen_at';
  site: 'id' | 'company_id' | 'company_name' | 'name' | 'address' | 'latitude' | 'longitude' | 'contact_name' | 'contact_phone' | 'contact_email' | 'notes' | 'devices_count' | 'offline_count' | 'created_at' | 'updated_at' | 'router_id' | 'router_name';
  suppressed_email: 'id' | 'email' | 'reason' | 'company_id' | 'company_name' | 'created_at';
  tag_run: 'id' | 'action_tag_id' | 'action_tag_name' | 'action_tag_description' | 'device_id' | 'device_name' | 'device_serial' | 'action_name' | 'action_initialized_from' | 'request_target_state' | 'reason' | 'user_name' | 'job_id' | 'scheduler_id' | 'additional_information' | 'events' | 'created_at' | 'finished_at';
  tag: 'id' | 'company_id' | 'company_name' | 'name' | 'description' | 'color' | 'devices_count' | 'created_at' | 'updated_at' | 'actions';
  task_group_log: 'id' | 'device_id' | 'device_name' | 'group_id' | 'name' | 'job_id' | 'status' | 'created_at' | 'finished_at';
  task_group: 'id' | 'name' | 'company_id' | 'company_name' | 'tasks_count' | 'created_at' | 'updated_at';
  task_log: 'id' | 'group_log_id' | 'group_log_name' | 'device_name' | 'type' | 'name' | 'data' | 'result' | 'created_at';
  task_plan: 'id' | 'company_id' | 'company_name' | 'name' | 'group_id' | 'group_name' | 'applies_to' | 'device_ids' | 'tag_ids' | 'period' | 'every_hours' | 'weekday' | 'month_day' | 'time' | 'timezone' | 'values' | 'is_active' | 'user_name' | 'next_at' | 'last_at' | 'last_job_id' | 'created_at' | 'updated_at';
  task: 'id' | 'group_id' | 'group_name' | 'company_id' | 'order' | 'type' | 'name' | 'data' | 'timeout' | 'stop_on_failure' | 'created_at' | 'updated_at';
  terminal_key: 'id' | 'label' | 'text' | 'presses_enter' | 'is_shared' | 'can_edit' | 'user_name' | 'updated_at';
  user_access: 'id' | 'username' | 'email' | 'has_second_factor' | 'places';
  user: 'id' | 'username' | 'email' | 'first_name' | 'last_name' | 'role_id' | 'role' | 'role_title' | 'company_id' | 'company_name' | 'company_level' | 'company_parent_id' | 'is_disabled' | 'memberships' | 'last_login_at' | 'created_at' | 'updated_at';
  view: 'id' | 'resource' | 'name' | 'share' | 'company_id' | 'user_name' | 'is_own' | 'can_edit' | 'query' | 'columns' | 'default_roles' | 'created_at' | 'updated_at';
  vpn_client: 'id' | 'vpn_hub_id' | 'vpn_hub_name' | 'company_id' | 'name' | 'type' | 'object_id' | 'ip' | 'enabled' | 'state' | 'created_at' | 'company_name' | 'mode' | 'status' | 'model' | 'is_facelift' | 'is_esim_bootstrap' | 'connected' | 'remote' | 'connected_at' | 'session_sent' | 'session_received' | 'total_used' | 'expires_at' | 'expiry' | 'forward_lan' | 'forward_wan' | 'sync_state' | 'synced_at' | 'groups' | 'quick_hub';
  vpn_connection: 'id' | 'vpn_hub_id' | 'vpn_user_id' | 'name' | 'visual_name' | 'type' | 'ip' | 'success' | 'code' | 'reason' | 'connected_at' | 'disconnected_at' | 'session_bytes_send' | 'session_bytes_received';
  vpn_hub: 'id' | 'company_id' | 'company_name' | 'name' | 'description' | 'endpoint' | 'port' | 'ip' | 'netmask' | 'hub_ip' | 'enabled' | 'public_key' | 'clients_count' | 'created_at' | 'updated_at' | 'hub_zone' | 'hub_zone_name' | 'vpn_type' | 'quick_hub' | 'run_state' | 'run_error' | 'disabled_reason' | 'disabled_on_company_data_used' | 'disabled_for_inactive' | 'disabled_for_inactive_without_users' | 'disabled_because_expired' | 'online_count' | 'bytes_used' | 'start_time' | 'end_time' | 'ends_at' | 'ca_crt_expire_at' | 'server_crt_expire_at' | 'last_used_at' | 'tags' | 'tag_id' | 'device_id' | 'device_name';
  vpn_route: 'id' | 'vpn_hub_id' | 'vpn_hub_user_id' | 'client_name' | 'name' | 'ip' | 'netmask' | 'created_at';
  vpn_rule: 'id' | 'vpn_hub_id' | 'from_client_id' | 'from_name' | 'to_client_id' | 'to_name' | 'created_at' | 'from_tag_id' | 'to_tag_id' | 'from_kind' | 'to_kind';
  wireless_device: 'id' | 'name' | 'model' | 'description' | 'firmware' | 'status' | 'company_id' | 'company_name' | 'ssid_names' | 'clients_count' | 'received' | 'sent' | 'created_at' | 'updated_at';
}

/** What each form sends, device selection aside. */
export interface FormData {
  'access-tokens/new': {
    name: string;
    scopes: string[];
    expires_in_days: number;
  };
  'access-tokens/remove': Record<string, never>;
  'account/email': {
    email: string;
  };
  'account/forgotten-password': {
    email: string;
  };
  'account/login': {
    email: string;
    password: string;
  };
  'account/new-password': {
    token: string;
    password: string;
  };
  'account/password': {
    current_password: string;
    password: string;
  };
  'account/profile': {
    first_name: string;
    last_name: string;
  };
  'alert-configurations/edit': {
    subject?: string;
    message: string;
    enable?: boolean;
    redundancy_enable?: boolean;
    redundancy_interval?: number | null;
    smtp_config_id?: number | null;
  };
  'alert-configurations/remove': Record<string, never>;
  'alerts/acknowledge-many': {
    alert_id?: number[];
    query?: Record<string, unknown>;
  };
  'alerts/acknowledge': Record<string, never>;
  'alerts/remove': Record<string, never>;
  'alerts/snooze-many': {
    hours: number;
    alert_id?: number[];
    query?: Record<string, unknown>;
  };
  'alerts/snooze': {
    hours: number;
  };
  'announcements/edit': {
    type: 'info' | 'warning' | 'maintenance';
    summary: string;
    company_id?: number;
    audience: 'everybody' | 'administrators';
    period?: {
      from: string;
      to: string;
    };
  };
  'announcements/new': {
    type: 'info' | 'warning' | 'maintenance';
    summary: string;
    company_id?: number;
    audience: 'everybody' | 'administrators';
    period?: {
      from: string;
      to: string;
    };
  };
  'announcements/remove': Record<string, never>;
  'applications/edit': {
    name: string;
    description?: string;
    redirect_uris: string[];
    scopes: string[];
  };
  'applications/new-secret': Record<string, never>;
  'applications/new': {
    company_id: number;
    name: string;
    description?: string;
    redirect_uris: string[];
    scopes: string[];
    is_confidential?: boolean;
  };
  'applications/remove': Record<string, never>;
  'automations/edit': {
    name: string;
    description?: string;
    applies_to?: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    conditions_body: AutomationsEditBranch[];
    delay_enabled?: boolean;
    delay_duration?: number;
    delay_repetitions_count?: number;
    cooldown_enabled?: boolean;
    cooldown_duration?: number;
    recovery_duration?: number;
    period?: 'hour' | 'day' | 'week';
    period_trigger_limit?: number;
    enabled?: boolean;
  };
  'automations/new': {
    name: string;
    description?: string;
    company_id?: number;
    applies_to?: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    conditions_body: AutomationsNewBranch[];
    delay_enabled?: boolean;
    delay_duration?: number;
    delay_repetitions_count?: number;
    cooldown_enabled?: boolean;
    cooldown_duration?: number;
    recovery_duration?: number;
    period?: 'hour' | 'day' | 'week';
    period_trigger_limit?: number;
    enabled?: boolean;
  };
  'automations/remove': Record<string, never>;
  'automations/restore': {
    version: number;
  };
  'automations/sim-alert': {
    company_id?: number;
    measure: 'limit' | 'data';
    used_percent?: number;
    data_limit?: number;
    severity?: 'info' | 'warning' | 'critical';
    notify?: boolean;
    email?: string;
  };
  'backup-rules/edit': {
    name: string;
    applies_to: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    period: 'day' | 'week' | 'month';
    weekday?: number;
    month_day?: number;
    time: string;
    timezone: string;
    keep: number;
    is_active?: boolean;
  };
  'backup-rules/new': {
    name: string;
    company_id?: number;
    applies_to: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    period: 'day' | 'week' | 'month';
    weekday?: number;
    month_day?: number;
    time: string;
    timezone: string;
    keep: number;
    is_active?: boolean;
  };
  'backup-rules/remove': Record<string, never>;
  'change-sets/apply': {
    confirm_seconds?: number;
    reason?: string;
  };
  'change-sets/approve': {
    note?: string;
  };
  'change-sets/remove': Record<string, never>;
  'change-sets/return': {
    note: string;
  };
  'change-sets/review': Record<string, never>;
  'change-sets/undo': {
    confirm_seconds?: number;
    reason?: string;
  };
  'companies/custom-fields': {
    fields: {
      name: string;
      title: string;
      type: 'text' | 'number' | 'date' | 'boolean' | 'choice';
      choices?: string[];
      required?: boolean;
    }[];
    delete_values?: boolean;
  };
  'companies/data': {
    company_id: number;
    credits: string;
  };
  'companies/edit': {
    name: string;
    email?: string | null;
  };
  'companies/flags': {
    can_use_parent_license: boolean;
    show_payment?: boolean;
  };
  'companies/invite': {
    email: string;
    is_independent?: boolean;
  };
  'companies/move': {
    source: number;
    target: number;
  };
  'companies/new': {
    name: string;
    parent_id?: number;
    show_payment?: boolean;
  };
  'companies/reasons': {
    asks_reason: boolean;
    asks_review?: boolean;
  };
  'companies/remove': {
    companies?: number;
    devices?: number;
    users?: number;
    tags?: number;
    codes?: number;
    credits?: number;
  };
  'companies/restore': Record<string, never>;
  'companies/second-factor': {
    requires_mfa: boolean;
  };
  'company-tokens/remove': Record<string, never>;
  'configuration-drift/make-equal': Record<string, never>;
  'configuration-drift/take-over': Record<string, never>;
  'configuration-drift/unfollow': Record<string, never>;
  'configuration-templates/edit': {
    name: string;
    description?: string;
    base_id?: number | null;
    min_firmware?: string;
    max_firmware?: string;
  };
  'configuration-templates/import': {
    company_id: number;
    name: string;
    device_id: number;
    configs?: string[];
  };
  'configuration-templates/make-equal': Record<string, never>;
  'configuration-templates/new': {
    company_id: number;
    name: string;
    system?: 'rutos' | 'tswos' | 'openwrt' | 'debian';
    version: string;
    description?: string;
    base_id?: number;
    min_firmware?: string;
    max_firmware?: string;
    template?: ConfigurationTemplatesNewCall[];
  };
  'configuration-templates/remove': Record<string, never>;
  'configuration-templates/use': {
    device_id: number[];
    confirm_seconds?: number;
  };
  'configuration-variables/edit': {
    value: string;
  };
  'configuration-variables/new': {
    scope: 'company' | 'tag' | 'device';
    company_id?: number;
    tag_id?: number;
    device_id?: number;
    name: string;
    value: string;
    is_secret?: boolean;
  };
  'configuration-variables/remove': Record<string, never>;
  'credits/activate-code': {
    code: string;
  };
  'credits/add': {
    credit_type_id: number;
    credit_count: number;
    company_id: number;
    credit_price?: number;
    pro_form_nr?: string;
    expire_at?: string;
  };
  'credits/edit-code': {
    comment: string;
  };
  'credits/move-device': {
    source_device_id: number;
    target_device_id: number;
  };
  'credits/move': {
    credit_type_name: 'credit' | 'credit_free' | 'management_6m' | 'management_6m_free' | 'management_1y' | 'management_1y_free' | 'management_3y' | 'management_3y_free' | 'management_5y' | 'management_5y_free' | 'management_10y' | 'management_10y_free' | 'data_150GB_10y' | 'data_150GB_10y_free';
    source: number;
    target: number;
    amount: number;
  };
  'credits/new-code': {
    credit_type_name: 'credit' | 'credit_free' | 'management_6m' | 'management_6m_free' | 'management_1y' | 'management_1y_free' | 'management_3y' | 'management_3y_free' | 'management_5y' | 'management_5y_free' | 'management_10y' | 'management_10y_free' | 'data_150GB_10y' | 'data_150GB_10y_free';
    company_id?: number;
    amount: number;
    comment?: string;
  };
  'credits/remove-code': Record<string, never>;
  'credits/report': {
    company_id: number;
    start_date?: string;
    end_date?: string;
  };
  'dashboards/edit': {
    name: string;
    share: 'private' | 'company';
    is_company_default?: boolean;
  };
  'dashboards/import': {
    text: string;
    share: 'private' | 'company';
  };
  'dashboards/new': {
    name: string;
    kind: 'fleet' | 'device';
    template: 'empty' | 'overview' | 'mobile' | 'data' | 'vpn' | 'site';
    share: 'private' | 'company';
  };
  'dashboards/remove': Record<string, never>;
  'device-notes/edit': {
    text: string;
  };
  'device-notes/new': {
    device_id: number;
    text: string;
  };
  'device-notes/remove': Record<string, never>;
  'device-passwords/show': {
    reason: string;
  };
  'devices/add-ahead': {
    company_id: number;
    device_series: 'rut' | 'trb' | 'tcr' | 'tap' | 'otd' | 'swm';
    serial: string;
    mac?: string;
    imei?: string;
    name?: string;
    password_confirmation?: string;
    firmware_file_id?: number;
    config_file_id?: number;
    tag_id?: number[];
    auto_credit_enable?: boolean;
  };
  'devices/add': {
    company_id: number;
    uses: number;
    expires_in_hours: number;
    tag_id?: number[];
    name_prefix?: string;
  };
  'devices/api-description': {
    system: 'rutos' | 'tswos';
    file: string;
    overwrite?: boolean;
  };
  'devices/apply-template': {
    template_id: number;
    confirm_seconds?: number;
  };
  'devices/assign-tags': {
    tag_id: number[];
  };
  'devices/automations': {
    automation_ids?: number[];
  };
  'devices/capture': {
    interface: string;
    seconds: number;
    megabytes: number;
    filter?: string;
  };
  'devices/credit': {
    credit_enabled: boolean;
    credit_type_id?: number;
    auto_extend_credit?: boolean;
  };
  'devices/data-limit': {
    limit_gb?: number;
    starts_on: number;
  };
  'devices/dynamic-dns': {
    name: string;
    enabled: boolean;
    service: string;
    host: string;
    username: string;
    password: string;
    source: 'network' | 'web';
    check_minutes: number;
    force_hours: number;
  };
  'devices/edit': {
    name: string;
    description?: string;
    dynamic_monitoring?: number | null;
    user_set_latitude?: number | null;
    user_set_longitude?: number | null;
  };
  'devices/export-history': {
    format: 'csv' | 'xlsx' | 'json';
    interval: 'changes' | 'minutes' | 'hour' | 'day';
    start_date: string;
    end_date: string;
    parameters: ('status' | 'firmware' | 'operator' | 'operator_number' | 'connection_type' | 'network_state' | 'sim_slot' | 'iccid' | 'wan_state' | 'wan_ip' | 'mobile_ip' | 'cell_id' | 'lac' | 'signal' | 'rsrp' | 'rsrq' | 'sinr' | 'temperature' | 'sent' | 'received' | 'router_uptime' | 'load1' | 'mem_available_kb')[];
  };
  'devices/import': {
    company_id: number;
    source: 'file' | 'list';
    file?: string;
    lines?: string;
    device_series: 'rut' | 'trb' | 'tcr' | 'tap' | 'otd' | 'swm';
    firmware_file_id?: number;
    config_file_id?: number;
    tag_id?: number[];
    auto_credit_enable?: boolean;
  };
  'devices/location': {
    user_set_latitude: number | null;
    user_set_longitude: number | null;
  };
  'devices/locations': {
    locations: {
      device: string;
      latitude: number;
      longitude: number;
    }[];
  };
  'devices/monitoring-periods': {
    dynamic_monitoring?: number;
    static_monitoring?: number;
    gps_monitoring?: number;
    io_monitoring?: number;
    wireless_monitoring?: number;
    hotspot_monitoring?: number;
    others_as_usual?: boolean;
  };
  'devices/monitoring': {
    monitoring_enabled: boolean;
  };
  'devices/move': {
    company_id: number;
  };
  'devices/network-tools': {
    tool: 'ping' | 'trace' | 'look-up' | 'neighbours' | 'ports' | 'log' | 'follow';
    host?: string;
    count?: number;
    lines?: number;
    seconds?: number;
  };
  'devices/new-alert': {
    alert_subtype_id: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 11 | 12 | 15 | 13 | 14 | 16 | 17;
    data_limit?: number;
    sim?: 1 | 2;
    period?: 'day' | 'week' | 'month';
    latitude?: number;
    longitude?: number;
    radius?: number;
    action?: 1 | 2 | 3;
    email?: string;
    subject?: string;
    message?: string;
    redundancy_interval?: number;
  };
  'devices/overwrite-tags': {
    tag_id: number[];
  };
  'devices/passwords-csv': {
    file: string;
    first_parameter: 'either' | 'serial' | 'mac';
    username: string;
    keep_in_vault?: boolean;
    show_password?: boolean;
  };
  'devices/passwords': {
    mode: 'generate' | 'set';
    username: string;
    length?: number;
    use_special?: boolean;
    keep?: 'list' | 'vault';
    password?: string;
    password_confirmation?: string;
    keep_in_vault?: boolean;
    show_password?: boolean;
  };
  'devices/purge': Record<string, never>;
  'devices/quarantine': {
    decision: 'accept' | 'refuse';
  };
  'devices/remove': Record<string, never>;
  'devices/restore': Record<string, never>;
  'devices/run-command': {
    command: string;
    timeout: number;
  };
  'devices/site-blocking': {
    mode: 'deny' | 'allow' | 'off';
    hosts?: string[];
  };
  'devices/site': {
    site_id?: number | null;
  };
  'devices/speed-test': {
    megabytes: number;
  };
  'devices/switch-output': {
    pin: string;
    state: 'on' | 'off';
  };
  'devices/tags-csv': {
    file: string;
    first_parameter: 'serial' | 'mac';
    mode?: 'assign' | 'unassign' | 'overwrite';
    tag_id?: number[];
  };
  'devices/test-endpoint': {
    url: string;
    query_parameters?: {
      key: string;
      value: string[];
    }[];
  };
  'devices/unassign-tags': {
    tag_id: number[];
  };
  'devices/update-firmware': {
    source: 'latest' | 'stable' | 'file';
    file_id?: number;
    keep_settings: boolean;
    allow_downgrade?: boolean;
    back_within: number;
    check_wan?: boolean;
    signal_drop?: number;
    check_command?: string;
  };
  'devices/upload-backup': {
    source: 'own' | 'file';
    file_id?: number;
    allow_other_model?: boolean;
    back_within: number;
    check_wan?: boolean;
    signal_drop?: number;
    check_command?: string;
  };
  'enrolment-codes/remove': Record<string, never>;
  'esim/disable': {
    iccid: string;
  };
  'esim/download': {
    activation_code: string;
    confirmation_code?: string;
  };
  'esim/enable': {
    iccid: string;
  };
  'esim/remove': {
    iccid: string;
  };
  'esim/rename': {
    iccid: string;
    nickname: string;
  };
  'files/edit': {
    description: string;
  };
  'files/mark-stable': {
    is_stable: boolean;
  };
  'files/new-global': {
    file: string;
    description?: string;
  };
  'files/new': {
    company_id?: number;
    type: 'config' | 'firmware' | 'device_task_manager_file';
    file: string;
    description?: string;
  };
  'files/remove': Record<string, never>;
  'files/restore': {
    back_within: number;
    check_wan?: boolean;
  };
  'files/sign': {
    signature: string;
  };
  'history/undo-all': Record<string, never>;
  'history/undo': Record<string, never>;
  'hotspots/add-user': {
    username: string;
    password: string;
    minutes?: number;
    megabytes?: number;
  };
  'hotspots/new-vouchers': {
    company_id: number;
    name: string;
    device_id: number[];
    ssid?: string;
    amount: number;
    minutes?: number;
    megabytes?: number;
    ends_at?: string;
  };
  'hotspots/page': {
    title: string;
    text?: string;
  };
  'hotspots/remove-user': {
    username: string;
  };
  'hotspots/remove-vouchers': Record<string, never>;
  'hotspots/revoke-vouchers': Record<string, never>;
  'images/edit': {
    description: string;
  };
  'images/new': {
    company_id?: number;
    image: string;
    type: 'device_dashboard';
    description?: string;
  };
  'images/remove': Record<string, never>;
  'impersonation/allow': {
    hours: 1 | 4 | 8 | 24 | 72;
  };
  'impersonation/ask': {
    reason: string;
  };
  'impersonation/end': Record<string, never>;
  'impersonation/revoke': Record<string, never>;
  'mail/edit-configuration': {
    name: string;
    email: string;
    host: string;
    port: number;
    security: 'starttls' | 'tls' | 'none';
    username?: string;
    password?: string;
    is_default?: boolean;
  };
  'mail/edit-template': {
    subject: string;
    text: string;
  };
  'mail/new-configuration': {
    company_id: number;
    name: string;
    email: string;
    host: string;
    port: number;
    security: 'starttls' | 'tls' | 'none';
    username?: string;
    password?: string;
    is_default?: boolean;
  };
  'mail/remove-configuration': Record<string, never>;
  'mail/remove-suppressed': Record<string, never>;
  'mail/reset-template': Record<string, never>;
  'mail/test-configuration': {
    email: string;
  };
  'mail/test': {
    email: string;
  };
  'maintenance-windows/edit': {
    name: string;
    applies_to: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
    time_from: string;
    time_to: string;
    timezone: string;
    uses_device_time?: boolean;
    is_active?: boolean;
  };
  'maintenance-windows/new': {
    name: string;
    company_id?: number;
    applies_to: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
    time_from: string;
    time_to: string;
    timezone: string;
    uses_device_time?: boolean;
    is_active?: boolean;
  };
  'maintenance-windows/remove': Record<string, never>;
  'mfa/enrol': {
    method: 'totp' | 'email';
  };
  'mfa/recovery-codes': Record<string, never>;
  'mfa/remove-passkey': Record<string, never>;
  'mfa/remove': Record<string, never>;
  'mfa/rename-passkey': {
    name: string;
  };
  'monitoring-templates/assign': {
    device_id: number[];
    period: number;
    enabled?: boolean;
  };
  'monitoring-templates/change': {
    period: number;
    enabled?: boolean;
  };
  'monitoring-templates/edit': {
    name: string;
    description?: string;
    data: MonitoringTemplatesEditSource[];
    period: number;
    enabled?: boolean;
    api_system?: 'rutos' | 'tswos';
    api_version?: string;
    device_documentation_id?: number;
  };
  'monitoring-templates/new': {
    name: string;
    company_id?: number;
    description?: string;
    data: MonitoringTemplatesNewSource[];
    period: number;
    enabled?: boolean;
    api_system?: 'rutos' | 'tswos';
    api_version?: string;
    device_documentation_id?: number;
  };
  'monitoring-templates/remove': Record<string, never>;
  'monitoring-templates/unassign': Record<string, never>;
  'notifications/digest': {
    hour: number;
    timezone: string;
  };
  'notifications/edit-rule': {
    in_console?: ('deviceOffline' | 'deviceOnline' | 'deviceQuarantined' | 'jobFinished' | 'jobFailed' | 'invitationAccepted' | 'mailBounced' | 'deviceAlert' | 'deviceAutomation' | 'creditAmountTooLow' | 'remoteAccessAsked')[];
    by_mail?: ('deviceOffline' | 'deviceOnline' | 'deviceQuarantined' | 'jobFinished' | 'jobFailed' | 'invitationAccepted' | 'mailBounced' | 'deviceAlert' | 'deviceAutomation' | 'creditAmountTooLow' | 'remoteAccessAsked')[];
    alert_mail?: 'none' | 'info' | 'warning' | 'critical';
    remind_minutes?: 0 | 15 | 30 | 60 | 240;
  };
  'notifications/new-rule': {
    company_id?: number;
    in_console?: ('deviceOffline' | 'deviceOnline' | 'deviceQuarantined' | 'jobFinished' | 'jobFailed' | 'invitationAccepted' | 'mailBounced' | 'deviceAlert' | 'deviceAutomation' | 'creditAmountTooLow' | 'remoteAccessAsked')[];
    by_mail?: ('deviceOffline' | 'deviceOnline' | 'deviceQuarantined' | 'jobFinished' | 'jobFailed' | 'invitationAccepted' | 'mailBounced' | 'deviceAlert' | 'deviceAutomation' | 'creditAmountTooLow' | 'remoteAccessAsked')[];
    alert_mail?: 'none' | 'info' | 'warning' | 'critical';
    remind_minutes?: 0 | 15 | 30 | 60 | 240;
  };
  'notifications/remove-rule': Record<string, never>;
  'on-call/edit': {
    name: string;
    user_ids: number[];
    shift_days?: 1 | 7;
    starts_on: string;
    handover_hour?: number;
    timezone: string;
    least_severity?: 'info' | 'warning' | 'critical';
    after_minutes?: number;
    next_minutes?: number;
  };
  'on-call/new': {
    company_id: number;
    name: string;
    user_ids: number[];
    shift_days?: 1 | 7;
    starts_on: string;
    handover_hour?: number;
    timezone: string;
    least_severity?: 'info' | 'warning' | 'critical';
    after_minutes?: number;
    next_minutes?: number;
  };
  'on-call/remove': Record<string, never>;
  'password-lists/download': Record<string, never>;
  'password-plans/edit': {
    name: string;
    applies_to: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    username: string;
    length: number;
    use_special?: boolean;
    every_days: number;
    is_active?: boolean;
  };
  'password-plans/new': {
    name: string;
    company_id?: number;
    applies_to: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    username: string;
    length: number;
    use_special?: boolean;
    every_days: number;
    is_active?: boolean;
  };
  'password-plans/remove': Record<string, never>;
  'remote-access/add-found': {
    name: string;
    protocol: 'http' | 'https' | 'ssh' | 'sftp' | 'telnet' | 'vnc' | 'rdp';
    destination_ip: string;
    destination_port: number;
    credentials_required?: boolean;
    username?: string;
    password?: string;
    login_form?: 'fill' | 'send' | 'off';
    login_domain?: string;
    keyboard?: 'us' | 'gb' | 'de' | 'ch' | 'fr' | 'be' | 'nl' | 'no' | 'se' | 'dk' | 'fi' | 'es' | 'pt' | 'it' | 'pl' | 'lt' | 'ua' | 'jp';
  };
  'remote-access/allow-consent': {
    hours: 1 | 2 | 8 | 24;
  };
  'remote-access/block': Record<string, never>;
  'remote-access/edit-key': {
    label: string;
    text: string;
    presses_enter?: boolean;
    is_shared?: boolean;
  };
  'remote-access/edit': {
    name: string;
    protocol: 'http' | 'https' | 'ssh' | 'sftp' | 'telnet' | 'vnc' | 'rdp';
    destination_ip: string;
    destination_port: number;
    way?: 'auto' | 'vpn';
    credentials_required?: boolean;
    username?: string;
    password?: string;
    login_form?: 'fill' | 'send' | 'off';
    login_domain?: string;
    keyboard?: 'us' | 'gb' | 'de' | 'ch' | 'fr' | 'be' | 'nl' | 'no' | 'se' | 'dk' | 'fi' | 'es' | 'pt' | 'it' | 'pl' | 'lt' | 'ua' | 'jp' | null;
    tag_id?: number[];
    clears_credentials?: boolean;
  };
  'remote-access/end': Record<string, never>;
  'remote-access/follow': Record<string, never>;
  'remote-access/new-key': {
    label: string;
    text: string;
    presses_enter?: boolean;
    is_shared?: boolean;
  };
  'remote-access/new': {
    device_id: number;
    name: string;
    protocol: 'http' | 'https' | 'ssh' | 'sftp' | 'telnet' | 'vnc' | 'rdp';
    destination_ip: string;
    destination_port: number;
    way?: 'auto' | 'vpn';
    credentials_required?: boolean;
    username?: string;
    password?: string;
    login_form?: 'fill' | 'send' | 'off';
    login_domain?: string;
    keyboard?: 'us' | 'gb' | 'de' | 'ch' | 'fr' | 'be' | 'nl' | 'no' | 'se' | 'dk' | 'fi' | 'es' | 'pt' | 'it' | 'pl' | 'lt' | 'ua' | 'jp';
    tag_id?: number[];
  };
  'remote-access/refuse-consent': Record<string, never>;
  'remote-access/remove-key': Record<string, never>;
  'remote-access/remove': Record<string, never>;
  'remote-access/revoke': Record<string, never>;
  'remote-access/rules': {
    records_terminals: boolean;
    records_desktops?: boolean;
    asks_consent?: boolean;
    idle_minutes: number;
  };
  'remote-access/share': {
    email: string;
    hours: 1 | 2 | 8 | 24 | 72;
    purpose: string;
    ticket_number?: string;
    sends_mail?: boolean;
  };
  'remote-access/unblock': Record<string, never>;
  'reports/edit-generated': {
    name: string;
    description: string;
  };
  'reports/edit': {
    name?: string;
    description?: string;
    type: 'single' | 'periodic';
    period: 'day' | 'week' | 'month' | 'custom';
    start_date?: string;
    end_date?: string;
    time?: string;
    timezone?: string;
    is_active?: boolean;
    parameters: ('availability' | 'connection_uptime' | 'router_uptime' | 'data_usage' | 'signal' | 'temperature' | 'connection_type' | 'operator' | 'firmware' | 'actions' | 'alerts' | 'audit')[];
    monitoring_templates?: number[];
    applied_by: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    apply_list?: number[];
    mail_to?: string[];
    mail_language?: 'en' | 'nb' | 'ja' | 'uk';
    smtp_config_id?: number;
  };
  'reports/generate': Record<string, never>;
  'reports/new': {
    name?: string;
    description?: string;
    company_id?: number;
    type: 'single' | 'periodic';
    period: 'day' | 'week' | 'month' | 'custom';
    start_date?: string;
    end_date?: string;
    time?: string;
    timezone?: string;
    is_active?: boolean;
    parameters: ('availability' | 'connection_uptime' | 'router_uptime' | 'data_usage' | 'signal' | 'temperature' | 'connection_type' | 'operator' | 'firmware' | 'actions' | 'alerts' | 'audit')[];
    monitoring_templates?: number[];
    applied_by: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    apply_list?: number[];
    mail_to?: string[];
    mail_language?: 'en' | 'nb' | 'ja' | 'uk';
    smtp_config_id?: number;
  };
  'reports/remove-generated': Record<string, never>;
  'reports/remove': Record<string, never>;
  'roles/edit': {
    id?: number;
    title: string;
    description?: string;
    scope: 'tree' | 'company';
    start_page: 'last' | 'home' | 'devices';
    permission_id?: number[];
  };
  'roles/new': {
    title: string;
    description?: string;
    company_id: number[];
    scope?: 'tree' | 'company';
    start_page?: 'last' | 'home' | 'devices';
    permission_id: number[];
  };
  'roles/overwrite': {
    role_id: number[];
    permission_id: number[];
  };
  'roles/remove': Record<string, never>;
  'serial-numbers/edit': {
    status: 'approved' | 'denied';
  };
  'serial-numbers/import': {
    lines: string;
    status: 'approved' | 'denied';
  };
  'serial-numbers/remove': Record<string, never>;
  'service-accounts/edit': {
    name: string;
    description?: string;
    role_id: number;
    is_disabled?: boolean;
  };
  'service-accounts/new-token': {
    name: string;
    scopes: string[];
    expires_in_days: number;
  };
  'service-accounts/new': {
    name: string;
    description?: string;
    company_id: number;
    role_id: number;
  };
  'service-accounts/remove': Record<string, never>;
  'set-up/first-administrator': {
    token: string;
    company_name: string;
    email: string;
    first_name: string;
    last_name: string;
    password: string;
  };
  'signing-keys/new': {
    name: string;
    company_id?: number;
    public_key: string;
  };
  'signing-keys/remove': Record<string, never>;
  'sims/edit': {
    phone_number?: string;
    limit_gb?: number;
    starts_on: number;
    note?: string;
  };
  'sims/limit': {
    sim_id: number[];
    limit_gb?: number;
    starts_on: number;
  };
  'sims/remove': Record<string, never>;
  'sites/edit': {
    name: string;
    address?: string;
    latitude?: number | null;
    longitude?: number | null;
    contact_name?: string;
    contact_phone?: string;
    contact_email?: string;
    notes?: string;
    router_id?: number | null;
  };
  'sites/new': {
    company_id: number;
    name: string;
    address?: string;
    latitude?: number | null;
    longitude?: number | null;
    contact_name?: string;
    contact_phone?: string;
    contact_email?: string;
    notes?: string;
    router_id?: number | null;
  };
  'sites/remove': Record<string, never>;
  'tags/edit': {
    name: string;
    description?: string;
    color?: string | null;
  };
  'tags/new-action': {
    action: 'run' | 'reboot' | 'refresh' | 'firmware_upload' | 'config_upload' | 'execute_tasks_group' | 'apply_template';
    command?: string;
    timeout?: number;
    firmware_id?: number;
    configuration_id?: number;
    group_id?: number;
    template_id?: number;
  };
  'tags/new': {
    company_id: number;
    name: string;
    description?: string;
    color?: string;
    actions?: {
      action: 'run' | 'reboot' | 'refresh' | 'firmware_upload' | 'config_upload' | 'execute_tasks_group';
      command?: string;
      timeout?: number;
      source_id?: number;
    }[];
  };
  'tags/remove-action': Record<string, never>;
  'tags/remove-rule': Record<string, never>;
  'tags/remove': Record<string, never>;
  'tags/rule': {
    q?: string;
    status?: 'online' | 'offline' | 'pending' | 'not_activated';
    company_id?: number;
    site_id?: number;
    model?: string;
    firmware?: string;
    firmware_state?: 'newest' | 'older' | 'unknown';
    supports?: 'wifi' | 'gps' | 'mobile' | 'lan' | 'hotspot' | 'io' | 'second_modem' | 'esim';
    connection_type?: '5g' | '4g' | '3g' | '2g' | 'unknown';
    operator?: string;
  };
  'task-groups/copy': {
    name: string;
  };
  'task-groups/edit': {
    name: string;
    tasks: {
      id?: number;
      name: string;
      type: 'command' | 'upload_file' | 'download_file';
      data: {
        command?: string;
        acceptable_codes?: number[];
        file_id?: number;
        target_path?: string;
        file?: string;
      };
      timeout: number;
      stop_on_failure?: boolean;
      order?: number;
    }[];
    variables?: {
      name: string;
      type: 'text' | 'number' | 'choice' | 'secret' | 'device';
      default?: string;
      choices?: string[];
      field?: 'name' | 'serial' | 'mac' | 'model' | 'firmware' | 'company_name';
    }[];
    success_tag_id?: number[];
    failed_tag_id?: number[];
  };
  'task-groups/execute': {
    group_id: number;
    values?: {
      name: string;
      value: string;
    }[];
  };
  'task-groups/import': {
    company_id: number;
    text: string;
  };
  'task-groups/new': {
    company_id: number;
    name: string;
    tasks: {
      id?: number;
      name: string;
      type: 'command' | 'upload_file' | 'download_file';
      data: {
        command?: string;
        acceptable_codes?: number[];
        file_id?: number;
        target_path?: string;
        file?: string;
      };
      timeout: number;
      stop_on_failure?: boolean;
      order?: number;
    }[];
    variables?: {
      name: string;
      type: 'text' | 'number' | 'choice' | 'secret' | 'device';
      default?: string;
      choices?: string[];
      field?: 'name' | 'serial' | 'mac' | 'model' | 'firmware' | 'company_name';
    }[];
    success_tag_id?: number[];
    failed_tag_id?: number[];
  };
  'task-groups/remove': Record<string, never>;
  'task-plans/edit': {
    name: string;
    group_id: number;
    applies_to: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    period: 'hours' | 'day' | 'week' | 'month';
    every_hours?: number;
    weekday?: number;
    month_day?: number;
    time?: string;
    timezone?: string;
    values?: {
      name: string;
      value: string;
    }[];
    is_active?: boolean;
  };
  'task-plans/new': {
    name: string;
    company_id?: number;
    group_id: number;
    applies_to: 'company' | 'device' | 'tag';
    device_ids?: number[];
    tag_ids?: number[];
    period: 'hours' | 'day' | 'week' | 'month';
    every_hours?: number;
    weekday?: number;
    month_day?: number;
    time?: string;
    timezone?: string;
    values?: {
      name: string;
      value: string;
    }[];
    is_active?: boolean;
  };
  'task-plans/remove': Record<string, never>;
  'themes/edit': {
    app_name?: string;
    short_name?: string;
    full_app_name?: string;
    company_name?: string;
    title_text?: string;
    logo_subtext?: string;
    main_color?: string;
    dark_mode_text_color?: string;
    logo_vector?: string;
    drop_logo_vector?: boolean;
    favicon?: string;
    drop_favicon?: boolean;
    branded_device_series?: {
      original: string;
      branded: string;
    }[];
    disabled_routes?: ('enrolment-codes' | 'jobs' | 'tags' | 'files' | 'users' | 'roles' | 'service-accounts' | 'company-tokens' | 'impersonation' | 'impersonation-logs' | 'credits' | 'credit-codes' | 'data-history' | 'company-statistics' | 'connection-log' | 'mail-logs' | 'history' | 'access-tokens')[];
    default?: boolean;
    show_data?: boolean;
    show_payment?: boolean;
    buy_link?: string;
    buy_notice?: string;
    host_name?: string;
  };
  'themes/model-picture': {
    original_model: string;
    model_image: string;
  };
  'themes/remove-model-picture': {
    original_model: string;
  };
  'users/accept-invitation': {
    token: string;
    company_name?: string;
    first_name: string;
    last_name: string;
    password: string;
  };
  'users/edit': {
    company_id?: number;
    first_name: string;
    last_name: string;
    role_id: number;
  };
  'users/end-sessions': Record<string, never>;
  'users/invite': {
    company_id: number;
    email: string;
    role?: 'admin' | 'end_user' | 'readonly_admin' | 'read_only' | 'support';
    role_id?: number;
  };
  'users/new': {
    company_id: number;
    email: string;
    first_name: string;
    last_name: string;
    role_id: number;
    password: string;
  };
  'users/remove-by-email': {
    email: string;
  };
  'users/remove-mfa': {
    email: string;
  };
  'users/remove-suppressed': {
    email: string;
  };
  'users/remove': {
    company_id?: number;
  };
  'users/resend-invitation': Record<string, never>;
  'users/withdraw-invitation': Record<string, never>;
  'views/edit': {
    name: string;
    share?: 'private' | 'company';
    everyone?: boolean;
    query?: string;
    columns?: string;
    default_roles?: number[];
  };
  'views/new': {
    name: string;
    share?: 'private' | 'company';
    everyone?: boolean;
    resource: string;
    query: string;
    columns?: string;
  };
  'views/remove': Record<string, never>;
  'vpn/add-devices': {
    vpn_hub_id: number;
    device_id: number[];
  };
  'vpn/address': {
    mode?: 'static' | 'dhcp';
    ip_address?: string;
  };
  'vpn/client-groups': {
    tag_id: number[];
  };
  'vpn/configuration': Record<string, never>;
  'vpn/edit-hub': {
    name: string;
    description?: string;
    endpoint: string;
    port: number;
    tag_id?: number[];
  };
  'vpn/lifetime': {
    enabled?: boolean;
    duration?: number;
  };
  'vpn/new-client': {
    vpn_hub_id: number;
    username: string;
  };
  'vpn/new-dhcp': {
    type: 'DNS' | 'WINS';
    ip_address: string;
  };
  'vpn/new-hub': {
    company_id?: number;
    name: string;
    vpn_type?: 'wireguard' | 'tun' | 'tap';
    hub_zone?: string;
    description?: string;
    endpoint?: string;
    port?: number;
    ip?: string;
    netmask?: string;
    tag_id?: number[];
  };
  'vpn/new-route': {
    vpn_hub_id: number;
    vpn_hub_user_id: number;
    ip_address: string;
    netmask: string;
    name?: string;
  };
  'vpn/new-rule': {
    vpn_hub_id: number;
    from_client_id?: number;
    from_tag_id?: number;
    to_client_id?: number;
    to_tag_id?: number;
  };
  'vpn/new-user': {
    vpn_hub_id: number;
    user_id: number;
  };
  'vpn/profile': Record<string, never>;
  'vpn/quick-connect': {
    company_id?: number;
    hub_name: string;
    description?: string;
    hub_zone?: string;
    vpn_type?: 'wireguard' | 'tun' | 'tap';
    duration?: number;
    endpoint: {
      device_id: number;
      routes?: {
        ip: string;
        name?: string;
        netmask?: string;
      }[];
    };
    tag_id?: number[];
  };
  'vpn/remove-client': Record<string, never>;
  'vpn/remove-hub': Record<string, never>;
  'vpn/remove-route': Record<string, never>;
  'vpn/remove-rule': Record<string, never>;
  'vpn/settings': {
    ip: string;
    netmask: string;
  };
}

export type AutomationsEditBranch = {
  type: 'if' | 'else';
  expression?: AutomationsEditCondition[];
  actions?: AutomationsEditAction[];
  conditions?: AutomationsEditInner[];
};

export type AutomationsEditCondition = {
  parameter: string;
  operator: '==' | '!=' | '>' | '>=' | '<' | '<=' | 'contains' | 'matches' | 'in' | 'is' | 'changed' | 'changed_by' | 'between' | 'inside' | 'outside' | 'missing' | 'unusual';
  value?: string;
  joins_with?: '&&' | '||';
  times?: number;
  of?: number;
  tolerance?: number;
};

export type AutomationsEditAction = {
  name: 'RaiseAlert' | 'SendEmail' | 'SendNotification' | 'TaskManagerAction' | 'Reboot' | 'ExportBackup' | 'ExportTroubleshoot' | 'ExportEventsLog' | 'AddTag' | 'RemoveTag' | 'Webhook' | 'RunForm' | 'PauseRollOuts' | 'OpenIncident' | 'CloseIncident';
  options?: {
    severity?: 'info' | 'warning' | 'critical';
    subject?: string;
    message?: string;
    receiving_emails?: string[];
    mail_language?: 'en' | 'nb' | 'ja' | 'uk';
    smtp_config_id?: number;
    receiving_users?: number[];
    task_group_id?: number;
    tag_id?: number;
    url?: string;
    form?: string;
    form_data?: Record<string, unknown>;
    title?: string;
  };
};

export type AutomationsEditInner = {
  type: 'if' | 'else';
  expression?: AutomationsEditCondition[];
  actions?: AutomationsEditAction[];
  conditions?: AutomationsEditInnermost[];
};

export type AutomationsEditInnermost = {
  type: 'if' | 'else';
  expression?: AutomationsEditCondition[];
  actions?: AutomationsEditAction[];
};

export type AutomationsNewBranch = {
  type: 'if' | 'else';
  expression?: AutomationsNewCondition[];
  actions?: AutomationsNewAction[];
  conditions?: AutomationsNewInner[];
};

export type AutomationsNewCondition = {
  parameter: string;
  operator: '==' | '!=' | '>' | '>=' | '<' | '<=' | 'contains' | 'matches' | 'in' | 'is' | 'changed' | 'changed_by' | 'between' | 'inside' | 'outside' | 'missing' | 'unusual';
  value?: string;
  joins_with?: '&&' | '||';
  times?: number;
  of?: number;
  tolerance?: number;
};

export type AutomationsNewAction = {
  name: 'RaiseAlert' | 'SendEmail' | 'SendNotification' | 'TaskManagerAction' | 'Reboot' | 'ExportBackup' | 'ExportTroubleshoot' | 'ExportEventsLog' | 'AddTag' | 'RemoveTag' | 'Webhook' | 'RunForm' | 'PauseRollOuts' | 'OpenIncident' | 'CloseIncident';
  options?: {
    severity?: 'info' | 'warning' | 'critical';
    subject?: string;
    message?: string;
    receiving_emails?: string[];
    mail_language?: 'en' | 'nb' | 'ja' | 'uk';
    smtp_config_id?: number;
    receiving_users?: number[];
    task_group_id?: number;
    tag_id?: number;
    url?: string;
    form?: string;
    form_data?: Record<string, unknown>;
    title?: string;
  };
};

export type AutomationsNewInner = {
  type: 'if' | 'else';
  expression?: AutomationsNewCondition[];
  actions?: AutomationsNewAction[];
  conditions?: AutomationsNewInnermost[];
};

export type AutomationsNewInnermost = {
  type: 'if' | 'else';
  expression?: AutomationsNewCondition[];
  actions?: AutomationsNewAction[];
};

export type ConfigurationTemplatesNewCall = {
  path: string;
  method: 'put' | 'post' | 'delete';
  content_type?: string;
  query_parameters?: ConfigurationTemplatesNewPair[];
  search_elements?: {
    search_key: string;
    path: string;
    elements: ConfigurationTemplatesNewPair[];
  }[];
  request_data?: {
    data?: Record<string, unknown>;
  };
};

export type ConfigurationTemplatesNewPair = {
  key: string;
  value: string;
};

export type MonitoringTemplatesEditSource = {
  url: string;
  query_parameters?: MonitoringTemplatesEditParameter[];
  variables: MonitoringTemplatesEditVariable[];
};

export type MonitoringTemplatesEditParameter = {
  key: string;
  value: string[];
};

export type MonitoringTemplatesEditVariable = {
  id: string;
  filter: string;
  type: 'number' | 'integer' | 'boolean' | 'string' | 'array' | 'object';
  description?: string;
  default?: string;
  transform?: {
    evaluator?: 'arithmetic';
    eval_var?: string;
    expression?: string;
  };
  enum?: string[];
};

export type MonitoringTemplatesNewSource = {
  url: string;
  query_parameters?: MonitoringTemplatesNewParameter[];
  variables: MonitoringTemplatesNewVariable[];
};

export type MonitoringTemplatesNewParameter = {
  key: string;
  value: string[];
};

export type MonitoringTemplatesNewVariable = {
  id: string;
  filter: string;
  type: 'number' | 'integer' | 'boolean' | 'string' | 'array' | 'object';
  description?: string;
  default?: string;
  transform?: {
    evaluator?: 'arithmetic';
    eval_var?: string;
    expression?: string;
  };
  enum?: string[];
};

export type FormId = keyof FormData;

export const permissionNames = [
  'super_admin',
  'view_devices',
  'create_devices',
  'update_devices',
  'delete_devices',
  'move_devices',
  'view_device_actions',
  'execute_device_actions',
  'execute_device_commands',
  'view_device_updates',
  'execute_device_updates',
  'create_multi_configuration',
  'view_device_passwords',
  'execute_device_passwords',
  'view_device_logs',
  'view_device_dashboard',
  'update_device_dashboard',
  'view_sites',
  'update_sites',
  'view_wireless_information',
  'view_device_hotspots',
  'update_device_hotspots',
  'view_vpn_hubs',
  'create_vpn_hubs',
  'update_vpn_hubs',
  'delete_vpn_hubs',
  'view_monitoring',
  'update_monitoring',
  'view_tags',
  'create_tags',
  'update_tags',
  'delete_tags',
  'view_companies',
  'create_companies',
  'update_companies',
  'delete_companies',
  'view_users',
  'create_users',
  'update_users',
  'delete_users',
  'view_roles',
  'view_permissions',
  'view_history',
  'view_mail_logs',
  'view_email_configurations',
  'update_email_configurations',
  'view_access_tokens',
  'create_access_tokens',
  'view_api_docs',
  'manage_forms',
  'move_companies',
  'update_themes',
  'view_credits',
  'view_credits_summary',
  'view_credit_transfer_codes',
  'view_company_data_history',
  'move_devices_credits',
  'activate_credit_transfer_codes',
  'view_device_task_groups',
  'create_device_task_groups',
  'update_device_task_groups',
  'delete_device_task_groups',
  'execute_device_tasks',
  'view_automations',
  'create_automations',
  'update_automations',
  'delete_automations',
  'view_device_alerts',
  'update_device_alerts',
  'view_files',
  'create_files',
  'update_files',
  'delete_files',
  'upload_files_global_scope',
  'create_roles',
  'update_roles',
  'delete_roles',
  'view_service_accounts',
  'create_service_accounts',
  'update_service_accounts',
  'delete_service_accounts',
  'view_applications',
  'update_applications',
  'view_company_tokens',
  'delete_company_tokens',
  'update_device_credit_status',
  'execute_impersonation',
  'view_impersonation_logs',
  'view_statistics',
  'update_company_payment',
  'view_user_invitations',
  'view_reports',
  'create_reports',
  'update_reports',
  'delete_reports',
  'view_device_remote_access',
  'execute_device_remote_access',
  'update_device_remote_access',
  'use_remote_clipboard',
  'view_device_remote_recordings',
] as const;

export type PermissionName = (typeof permissionNames)[number];

export type ErrorCode =
  | 'API_DESCRIPTION_UNFIT'
  | 'NO_CONFIGURATION'
  | 'CONFIGURATION_NOT_READ'
  | 'CONFIGURATION_UNCHANGED'
  | 'INVALID_FIELD'
  | 'INVALID_FORM'
  | 'UNKNOWN_FIELD'
  | 'INVALID_JSON'
  | 'UNAUTHORIZED'
  | 'WRONG_CREDENTIALS'
  | 'FORBIDDEN'
  | 'ROLE_NOT_ALLOWED'
  | 'SCOPE_NOT_HELD'
  | 'FORGERY_PROTECTION'
  | 'ENROLMENT_REFUSED'
  | 'WRONG_SET_UP_TOKEN'
  | 'NOT_FOUND'
  | 'CHANNEL_NOT_FOUND'
  | 'NAME_TAKEN'
  | 'EMAIL_TAKEN'
  | 'OWN_ACCOUNT'
  | 'COMPANY_NEEDED'
  | 'ACCOUNT_SHARED'
  | 'LAST_ADMINISTRATOR'
  | 'COMPANY_TOO_DEEP'
  | 'SET_UP_DONE'
  | 'JOB_ALREADY_RUNNING'
  | 'FILES_NOT_COMPARABLE'
  | 'NOT_WAITING'
  | 'NOTHING_TO_ROLL_BACK'
  | 'NOTHING_TO_RETRY'
  | 'DEVICE_JOINED_AGAIN'
  | 'NOT_QUARANTINED'
  | 'WEBHOOK_NOT_SET'
  | 'FORM_CHANGED'
  | 'DELIVERY_TAKEN'
  | 'BODY_TOO_LARGE'
  | 'UNSUPPORTED_CONTENT_ENCODING'
  | 'UNSUPPORTED_CONTENT_TYPE'
  | 'TOO_MANY_REQUESTS'
  | 'OWN_WORK_RUNNING'
  | 'WORK_STOPPED'
  | 'WORK_TOO_LARGE'
  | 'INTERNAL'
  | 'OVERLOADED'
  | 'STORAGE_FULL'
  | 'FILE_KIND'
  | 'JSON_FILE_BROKEN'
  | 'INVALID_PARTS'
  | 'COMPANY_NAME_NEEDED'
  | 'MFA_REQUIRED'
  | 'CONFIRMATION_FAILED'
  | 'SESSION_REQUIRED'
  | 'INVITATION_REFUSED'
  | 'CREDIT_CODE_REFUSED'
  | 'MFA_ON_ALREADY'
  | 'MFA_NOT_ON'
  | 'MAIL_NOT_SET_UP'
  | 'COMPANY_THERE_ALREADY'
  | 'COMPANY_UNDER_ITSELF'
  | 'COMPANY_ELSEWHERE'
  | 'API_DESCRIPTION_EXISTS'
  | 'IDEMPOTENCY_KEY_USED'
  | 'CREDITS_SHORT'
  | 'SAME_PLACE'
  | 'FILE_TOO_LARGE'
  | 'WRONG_PASSWORD'
  | 'PASSWORD_REQUIRED'
  | 'MAIL_NOT_SENT'
  | 'CREDITS_TOO_MANY'
  | 'CREDIT_CODE_USED'
  | 'COMPANY_HAS_MORE'
  | 'COMPANY_HAS_ADMINISTRATOR'
  | 'COMPANY_WITHOUT_PARENT'
  | 'FILE_QUOTA_EXCEEDED'
  | 'FILE_CONTENT_MISSING'
  | 'ROLE_TOO_STRONG'
  | 'SCOPE_TOO_WIDE'
  | 'PERMISSION_NOT_HELD'
  | 'PERMISSION_RESERVED'
  | 'OWN_ROLE'
  | 'BUILT_IN_ROLE'
  | 'ROLE_IN_USE'
  | 'PASSWORD_KNOWN'
  | 'LINK_REFUSED'
  | 'SAME_EMAIL'
  | 'NO_PICTURE'
  | 'SCOPE_NOT_IN_ROLE'
  | 'HOST_NAME_TAKEN'
  | 'NOT_TOP_LEVEL'
  | 'PICTURE_REFUSED'
  | 'CSV_TOO_LONG'
  | 'NOT_A_TABLE'
  | 'TOO_MANY_COLUMNS'
  | 'NOT_UNICODE'
  | 'SHEET_HEADINGS_UNKNOWN'
  | 'CSV_NUMBER_ROUNDED'
  | 'SHEET_TOO_LONG'
  | 'CSV_DEVICE_UNKNOWN'
  | 'CSV_DEVICE_TWICE'
  | 'CSV_TAG_UNKNOWN'
  | 'CSV_TAG_FOREIGN'
  | 'CSV_NO_TAG'
  | 'EMAIL_NOT_VERIFIED'
  | 'MFA_MANDATORY'
  | 'TERMS_NOT_ACCEPTED'
  | 'MFA_KEPT'
  | 'NOT_UNDOABLE'
  | 'ACCOUNT_GONE'
  | 'UNDONE_ALREADY'
  | 'NOTHING_UNDONE'
  | 'UNDO_BLOCKED'
  | 'PASSKEY_REFUSED'
  | 'NOT_INVITED_EXTERNAL_USER'
  | 'EXTERNAL_SIGN_IN_FAILED'
  | 'ONLY_IN_PERSON'
  | 'IMPERSONATION_LINK_REFUSED'
  | 'IMPERSONATION_NOT_ALLOWED'
  | 'TOO_MANY_PICTURES'
  | 'PASSWORDS_FORGOTTEN'
  | 'PASSWORDS_NOT_READY'
  | 'PASSWORDS_DOWNLOADED'
  | 'PASSWORDS_EXPIRED'
  | 'CSV_NO_PASSWORD'
  | 'CSV_DEVICE_AGAIN'
  | 'CSV_PASSWORD_UNFIT'
  | 'ESIM_CODE_USED'
  | 'ACTING_ENDED'
  | 'DASHBOARD_CHANGED'
  | 'GRANT_REFUSED'
  | 'NOTHING_TO_MOVE'
  | 'REMOTE_BLOCKED'
  | 'REMOTE_ADDRESS_REFUSED'
  | 'REMOTE_NO_DATA'
  | 'REMOTE_CONSENT_NEEDED'
  | 'REMOTE_CONSENT_WAITS'
  | 'REMOTE_CONSENT_OF_OTHERS'
  | 'TOO_MANY_REMOTE_SESSIONS'
  | 'REMOTE_KIND_UNAVAILABLE'
  | 'RDP_PROGRAMS_MISSING'
  | 'REMOTE_PAGES_OFF'
  | 'REMOTE_LINK_INVALID'
  | 'VARIABLE_CIRCLE'
  | 'TEMPLATE_CIRCLE'
  | 'TEMPLATE_IN_USE'
  | 'TEMPLATE_CHANGED'
  | 'TAG_HAS_RULE'
  | 'CHANGE_SET_STATE'
  | 'REVIEW_NEEDED'
  | 'REVIEWER_IS_AUTHOR';

export type LookupName = 'companies' | 'parent-companies' | 'tags' | 'roles' | 'assignable-roles' | 'devices' | 'users' | 'models' | 'firmwares' | 'operators' | 'modem-models' | 'own-permissions' | 'credit-types' | 'credit-type-names' | 'timezones' | 'custom-roles' | 'own-scopes' | 'firmware-files' | 'configuration-files' | 'automations' | 'task-groups' | 'task-files' | 'reports' | 'email-configurations' | 'sites' | 'remote-access' | 'vpn-hubs' | 'vpn-clients' | 'monitoring-templates' | 'device-automations' | 'alert-configurations' | 'hotspots' | 'vpn-zones' | 'change-sets' | 'configuration-templates';

export type HelpKey = 'devices' | 'devices.add' | 'devices.custom-fields' | 'devices.location' | 'devices.tags' | 'devices.move' | 'devices.remove' | 'devices.run-command' | 'devices.quarantine' | 'companies' | 'companies.new' | 'users' | 'users.new' | 'roles' | 'tags' | 'tags.new' | 'jobs' | 'history' | 'enrolment-codes' | 'access-tokens' | 'devices.edit' | 'devices.credit' | 'devices.api-description' | 'companies.edit' | 'companies.move' | 'companies.remove' | 'companies.data' | 'companies.invite' | 'users.invite' | 'users.edit' | 'users.remove' | 'invitations' | 'service-accounts' | 'tags.edit' | 'tags.actions' | 'tags.rule' | 'files' | 'files.new' | 'resources' | 'resources.add' | 'resources.move' | 'resources.codes' | 'mail' | 'notifications' | 'announcements' | 'impersonation' | 'statistics' | 'branding' | 'views' | 'devices.update-firmware' | 'devices.upload-backup' | 'device-passwords' | 'device-esim' | 'signing-keys' | 'backup-rules' | 'maintenance-windows' | 'tasks' | 'devices.history' | 'devices.monitoring' | 'devices.monitoring-periods' | 'device-notes' | 'automations' | 'alerts' | 'dashboards' | 'reports' | 'sites' | 'sims' | 'vpn-hubs' | 'monitoring-templates' | 'applications' | 'remote-access' | 'access-history' | 'hotspots' | 'wifi' | 'configuration' | 'account' | 'account.second-factor' | 'account.password' | 'forms' | 'start';

/** What each live event carries. */
export interface EventPayloads {
  DeviceAdded: Device;
  DeviceChanged: Partial<Device> & { id: number };
  DeviceRemoved: {
    id: number;
    company_id: number;
  };
  DeviceTagsChanged: {
    tag_id: number;
  };
  DeviceEventAdded: DeviceEvent;
  CompanyAdded: Company;
  CompanyChanged: Partial<Company> & { id: number };
  CompanyRemoved: {
    id: number;
  };
  TagAdded: Tag;
  TagChanged: Partial<Tag> & { id: number };
  TagRemoved: {
    id: number;
    company_id: number;
  };
  UserAdded: User;
  UserChanged: Partial<User> & { id: number };
  UserRemoved: {
    id: number;
    company_id: number;
  };
  JobAdded: Job;
  JobChanged: Partial<Job> & { id: number };
  JobProgress: {
    id: number;
    state: 'queued' | 'running' | 'finished' | 'cancelled';
    total: number;
    counts: {
      queued: number;
      sent: number;
      running: number;
      ok: number;
      failed: number;
      skipped: number;
      'timed-out': number;
      cancelled: number;
    };
    /** Devices at a time, and the present wave; null when all are sent as fast as they can. */
    waves: {
      size: number;
      /** Devices in the first wave. */
      first: number;
      /** Each further wave waits until somebody lets it begin. */
      approve: boolean;
      /** It waits for that now. */
      is_waiting: boolean;
      stop_percent: number | null;
      on_stop: 'end' | 'hold';
      number: number;
      total: number;
      is_stopped: boolean;
      /** Between two waves. */
      pause_seconds: number | null;
      /** While it waits: when the next wave may begin. */
      resumes_at: string | null;
    } | null;
    finished_at: string | null;
    paused_at: string | null;
  };
  JobTargetChanged: JobTarget;
  FormsChanged: {
    at: string;
  };
  AnnouncementsChanged: {
    at: string;
  };
  SessionEnded: {
    reason: 'signed-out' | 'disabled' | 'removed' | 'reused-token' | 'expired' | 'consent-ended';
  };
  PermissionsChanged: {
    user_id: number;
  };
  ThemeChanged: {
    user_id: number;
  };
  DeviceDetailsChanged: {
    id: number;
  };
  FileAdded: File;
  FileChanged: Partial<File> & { id: number };
  FileRemoved: {
    id: number;
    company_id: number;
  };
  WebNotificationCreated: Notification;
  AlertRaised: {
    id: number;
    company_id: number;
    device_id: number;
  };
  AlertChanged: {
    id: number;
    company_id: number;
    device_id: number;
  };
  AlertEnded: {
    id: number;
    company_id: number;
    device_id: number;
  };
}

export type EventName = keyof EventPayloads;
