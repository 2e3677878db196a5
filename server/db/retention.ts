import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Config } from '../config.ts';
import type { settingsTable } from '../settings-table.ts';
import type { Row, TableName } from './schema.ts';

const DAY_MS = 86_400_000;

interface Age {
  /** The setting that says it; else `text` does. */
  setting?: (typeof settingsTable)[number]['name'];
  text: string;
  ms(config: Config): number;
}

const fixedDays = (days: number): Age => ({ text: days === 1 ? '1 day' : `${days} days`, ms: () => days * DAY_MS });

/** How long rows are kept, counted from a column of them. */
export const AGES = {
  readings: { setting: 'TELEMETRY_RAW_DAYS', text: '7 days', ms: (config) => config.telemetryRawMs },
  hours: { setting: 'TELEMETRY_HOURS_DAYS', text: '90 days', ms: (config) => config.telemetryHoursMs },
  days: { setting: 'TELEMETRY_DAYS_YEARS', text: '5 years', ms: (config) => config.telemetryDaysMs },
  events: { setting: 'KEEP_EVENTS_DAYS', text: '90 days', ms: (config) => config.keptMs.events },
  jobs: { setting: 'KEEP_JOBS_DAYS', text: '90 days', ms: (config) => config.keptMs.jobs },
  logs: { setting: 'KEEP_LOGS_DAYS', text: '90 days', ms: (config) => config.keptMs.logs },
  alerts: { setting: 'KEEP_ALERTS_DAYS', text: '400 days', ms: (config) => config.keptMs.alerts },
  remote: { setting: 'KEEP_REMOTE_SESSIONS_DAYS', text: '400 days', ms: (config) => config.keptMs.remote },
  reports: { setting: 'KEEP_REPORTS_DAYS', text: '400 days', ms: (config) => config.keptMs.reports },
  expired: { text: 'until it expires', ms: () => 0 },
  day: fixedDays(1),
  month: fixedDays(30),
  hosts: fixedDays(31),
  quarter: fixedDays(90),
  halfYear: fixedDays(180),
  year: fixedDays(400),
} satisfies Record<string, Age>;

export type AgeName = keyof typeof AGES;

/** Rows of which a column is further in the past than their age; where there is a condition, only those that it holds for. */
export interface AgeRule<Column extends string = string> {
  age: AgeName;
  from: Column;
  where?: RawBuilder<SqlBool>;
  /** Tables of which one row here has thousands: theirs are deleted before it, in pieces, found by this column. */
  first?: readonly { table: TableName; by: string }[];
}

export type Retention<T extends TableName> =
  /** For ever, unless a person removes it. */
  | { lives: 'forever'; why: string }
  /** With the row of another table, which has few of them. */
  | { lives: 'with'; owner: TableName }
  /** Until what they wait for is done. */
  | { lives: 'until-done'; by: string }
  /** Until they are too old; see server/kernel/db/clean.ts. `key` is the primary key of a table without rowid. */
  | { lives: 'aged'; rules: readonly AgeRule<keyof Row<T> & string>[]; key?: readonly (keyof Row<T> & string)[] }
  /** Until they are too old, deleted with what belongs to them by a room. */
  | { lives: 'purged'; after: string; by: string };

const made = { lives: 'forever', why: 'made by people' } as const;
const ledger = { lives: 'forever', why: 'the ledger of credits' } as const;
const record = { lives: 'forever', why: 'a record of who did what' } as const;

function withOwner(owner: TableName): { lives: 'with'; owner: TableName } {
  return { lives: 'with', owner };
}

function aged<Column extends string>(...rules: readonly AgeRule<Column>[]): { lives: 'aged'; rules: readonly AgeRule<Column>[] } {
  return { lives: 'aged', rules };
}

const isOwn = sql<SqlBool>`on_behalf_of is null`;

/** How long the rows of every table live. A table that is missing here does not compile. */
export const retentions: { readonly [T in TableName]: Retention<T> } = {
  access_tokens: aged({ age: 'logs', from: 'expires_at' }),
  account_links: aged({ age: 'expired', from: 'expires_at' }),
  alert_configurations: withOwner('devices'),
  alert_mail_times: withOwner('users'),
  alert_mails: { lives: 'until-done', by: 'server/features/notifications/alert-mails.ts' },
  alerts: aged({ age: 'alerts', from: 'ended_at' }),
  announcement_dismissals: withOwner('announcements'),
  announcements: made,
  api_descriptions: made,
  application_codes: aged({ age: 'day', from: 'expires_at' }),
  applications: made,
  audit: { lives: 'purged', after: 'HISTORY_YEARS', by: 'server/features/history/seals.ts' },
  audit_seals: { lives: 'forever', why: 'the chain of the history; one row for 5,000 entries' },
  automation_devices: withOwner('automations'),
  automation_logs: aged({ age: 'logs', from: 'at' }),
  automation_versions: withOwner('automations'),
  automations: made,
  avatars: withOwner('users'),
  awaited_devices: withOwner('devices'),
  backup_rules: made,
  change_sets: made,
  companies: { lives: 'purged', after: '30 days after its removal', by: 'server/features/companies/purge.ts' },
  company_days: aged({ age: 'year', from: 'day' }),
  company_months: { lives: 'forever', why: 'twelve rows a year for each company' },
  company_traffic: aged({ age: 'year', from: 'day' }),
  configuration_revisions: made,
  configuration_templates: made,
  configuration_variables: made,
  credit_accounts: ledger,
  credit_codes: ledger,
  credit_entries: ledger,
  credit_transfers: ledger,
  custom_fields: withOwner('companies'),
  dashboards: made,
  deaf_periods: aged({ age: 'days', from: 'until_at' }),
  device_additions: aged({ age: 'day', from: 'created_at' }),
  device_configurations: withOwner('devices'),
  device_credits: { lives: 'until-done', by: 'server/features/credits/sweep.ts' },
  device_custom_values: withOwner('devices'),
  device_data_limits: withOwner('devices'),
  device_days: { ...aged({ age: 'days', from: 'at' }), key: ['device_id', 'metric', 'at'] },
  device_details: withOwner('devices'),
  device_esims: withOwner('devices'),
  device_events: aged({ age: 'events', from: 'at' }),
  device_health: withOwner('devices'),
  device_hosts: aged({ age: 'hosts', from: 'gone_at' }),
  device_hotspots: withOwner('devices'),
  device_hours: { ...aged({ age: 'hours', from: 'at' }), key: ['device_id', 'metric', 'at'] },
  device_metrics: withOwner('devices'),
  device_notes: made,
  device_password_looks: record,
  device_password_values: withOwner('device_passwords'),
  device_passwords: withOwner('devices'),
  device_places: withOwner('devices'),
  device_positions: { ...aged({ age: 'hours', from: 'at' }), key: ['device_id', 'at'] },
  device_samples: aged({ age: 'readings', from: 'at' }),
  device_sites: withOwner('devices'),
  device_states: { ...aged({ age: 'hours', from: 'at' }), key: ['device_id', 'name', 'at'] },
  device_tags: withOwner('devices'),
  device_templates: withOwner('devices'),
  device_traffic: { ...aged({ age: 'days', from: 'day' }), key: ['device_id', 'day', 'modem', 'sim'] },
  device_tunnel_keys: withOwner('devices'),
  device_wireless: withOwner('devices'),
  devices: { lives: 'purged', after: '30 days after its removal', by: 'server/features/devices/bin.ts' },
  email_configurations: made,
  email_templates: made,
  enrolment_codes: made,
  external_identities: withOwner('users'),
  files: made,
  form_versions: made,
  found_services: withOwner('devices'),
  generated_reports: aged({
    age: 'reports',
    from: 'created_at',
    first: (['report_devices', 'report_values', 'report_days', 'report_audits'] as const).map((table) => ({ table, by: 'generated_id' })),
  }),
  hotspot_voucher_devices: withOwner('hotspot_vouchers'),
  hotspot_vouchers: made,
  images: made,
  impersonation_logs: record,
  impersonation_requests: aged({ age: 'quarter', from: 'expires_at' }),
  installation: { lives: 'forever', why: 'a few rows about the installation' },
  invitations: aged({ age: 'quarter', from: 'expires_at' }),
  job_target_steps: withOwner('job_targets'),
  job_targets: withOwner('jobs'),
  jobs: aged({
    age: 'jobs',
    from: 'finished_at',
    where: sql<SqlBool>`state in ('finished', 'cancelled')`,
    first: [
      { table: 'job_targets', by: 'job_id' },
      { table: 'password_list_items', by: 'job_id' },
    ],
  }),
  mail_log: aged({ age: 'logs', from: 'at', where: sql<SqlBool>`status <> 'waiting'` }),
  maintenance_windows: made,
  memberships: withOwner('users'),
  mfa_challenges: aged({ age: 'day', from: 'created_at' }),
  monitoring_assignments: withOwner('devices'),
  monitoring_reports: aged({ age: 'readings', from: 'at' }),
  monitoring_templates: made,
  monitoring_variables: withOwner('monitoring_templates'),
  notices: { lives: 'until-done', by: 'server/features/notifications/deliver.ts' },
  notification_digests: withOwner('users'),
  notification_rules: withOwner('users'),
  notifications: aged({ age: 'quarter', from: 'updated_at' }, { age: 'month', from: 'seen_at' }),
  on_call_schedules: withOwner('companies'),
  passkey_challenges: aged({ age: 'expired', from: 'expires_at' }),
  passkeys: withOwner('users'),
  password_list_items: withOwner('password_lists'),
  password_lists: withOwner('jobs'),
  password_plans: made,
  recovery_codes: withOwner('users'),
  remote_consents: aged({ age: 'remote', from: 'expires_at' }),
  remote_entries: made,
  remote_entry_tags: withOwner('remote_entries'),
  remote_favourites: withOwner('remote_entries'),
  remote_host_keys: withOwner('devices'),
  remote_legacy_entries: withOwner('remote_entries'),
  remote_links: aged({ age: 'remote', from: 'expires_at' }),
  remote_sessions: aged({ age: 'remote', from: 'started_at', where: sql<SqlBool>`ended_at is not null` }),
  remote_settings: withOwner('companies'),
  removed_devices: withOwner('devices'),
  report_audits: withOwner('generated_reports'),
  report_days: withOwner('generated_reports'),
  report_devices: withOwner('generated_reports'),
  report_values: withOwner('generated_reports'),
  reports: made,
  role_permissions: withOwner('roles'),
  roles: made,
  second_factors: withOwner('users'),
  serial_numbers: made,
  service_accounts: withOwner('users'),
  sessions: aged(
    { age: 'expired', from: 'idle_expires_at', where: isOwn },
    { age: 'expired', from: 'absolute_expires_at', where: isOwn },
    // While somebody impersonates another: an ended session still leads back to their own for a day.
    { age: 'day', from: 'absolute_expires_at' },
  ),
  signing_keys: made,
  sim_places: { lives: 'forever', why: 'where a SIM has been; a row when somebody moves it' },
  sim_traffic: { ...aged({ age: 'days', from: 'day' }), key: ['sim_id', 'day'] },
  sims: made,
  sites: made,
  storage: withOwner('users'),
  suppressed_emails: { lives: 'forever', why: 'addresses that take no mail' },
  tag_actions: made,
  tag_rules: withOwner('tags'),
  tag_runs: aged({ age: 'jobs', from: 'created_at', where: sql<SqlBool>`state in ('started', 'refused')` }),
  tags: made,
  task_groups: made,
  task_plans: made,
  tasks: made,
  terminal_keys: made,
  theme_pictures: withOwner('companies'),
  themes: withOwner('companies'),
  users: made,
  view_roles: withOwner('views'),
  views: made,
  vpn_client_tags: withOwner('vpn_clients'),
  vpn_clients: made,
  vpn_dhcp_options: withOwner('vpn_hubs'),
  vpn_hub_tags: withOwner('vpn_hubs'),
  vpn_hubs: made,
  vpn_revoked: aged({ age: 'expired', from: 'expires_at' }),
  vpn_routes: withOwner('vpn_hubs'),
  vpn_rules: withOwner('vpn_hubs'),
  vpn_sessions: aged({ age: 'halfYear', from: 'ended_at' }),
  vpn_traffic: aged({ age: 'days', from: 'hour' }),
  webhook_attempts: withOwner('webhook_deliveries'),
  webhook_deliveries: aged({ age: 'logs', from: 'finished_at' }),
};
