import type { Generated, Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';
import type { PasswordTables } from './password-tables.ts';
import type { AutomationTables } from './automation-tables.ts';
import type { ReportTables } from './report-tables.ts';
import type { ConfigurationTables } from './configuration-tables.ts';
import type { MonitoringTables } from './monitoring-tables.ts';
import type { TaskTables } from './task-tables.ts';
import type { DashboardsTable, ImagesTable } from './dashboard-table.ts';
import type { PlaceTables } from './place-tables.ts';
import type { VpnTables } from './vpn-tables.ts';
import type { RemoteTables, RemoteClientTables } from './remote-tables.ts';
import type { WirelessTables } from './wireless-tables.ts';
import type { SimTables } from './sim-tables.ts';
import type { TelemetryTables } from './telemetry-tables.ts';
import type { ThemeTables, CompanyDaysTable, CompanyMonthsTable, CompanyTrafficTable } from './company-tables.ts';
import type { AccountLinksTable, AvatarsTable, ExternalIdentitiesTable } from './account-tables.ts';
import type { BackupRulesTable, FilesTable, SigningKeysTable, TaskPlansTable } from './file-tables.ts';
import type { TagActionsTable, TagRulesTable, TagRunsTable } from './tag-tables.ts';
import type { AuditSealsTable, AuditTable } from './audit-table.ts';
import type { FormVersionsTable, WebhookAttemptsTable, WebhookDeliveriesTable } from './form-tables.ts';
import type {
  MfaChallengesTable,
  PasskeyChallengesTable,
  PasskeysTable,
  RecoveryCodesTable,
  SecondFactorsTable,
} from './second-factor-tables.ts';
import type { CreditTables } from './credit-tables.ts';
import type { MailTables } from './mail-tables.ts';
import type { ApiDescriptionsTable, InvitationsTable, SuppressedEmailsTable } from './invitation-tables.ts';
import type { JobsTable, JobTargetsTable, JobTargetStepsTable } from './job-tables.ts';
import type { AccessTokensTable, ApplicationCodesTable, ApplicationsTable, ServiceAccountsTable } from './token-tables.ts';
import type { ImpersonationLogsTable, ImpersonationRequestsTable, MembershipsTable } from './membership-tables.ts';
import type { MessageTables } from './message-tables.ts';
import type { ViewRolesTable, ViewsTable } from './view-table.ts';
import type { DeviceTables, MaintenanceWindowsTable, EnrolmentCodesTable } from './device-tables.ts';

export type { DeliveryState } from './form-tables.ts';
export type { JobState, JobsTable, JobTargetsTable, TargetState } from './job-tables.ts';

export interface InstallationTable {
  key: string;
  value: string;
}

export interface CompaniesTable {
  id: Generated<number>;
  name: string;
  /** 1 to 3; the third level has no children. */
  level: number;
  parent_id: number | null;
  /** Ids from the top, `/1/5/`; "this company and below" is one range of it. In a removed company's subtree it begins with `-`, see server/kernel/tenancy.ts. */
  path: string;
  /** Its people, and those of the companies below, need a second factor. */
  requires_mfa: Generated<Flag>;
  /** When it was removed, with all below it; only the topmost of what was removed has it. */
  removed_at: Generated<Millis | null>;
  /** Whether devices of this company may use credits of the company above. */
  can_use_parent_license: Generated<Flag>;
  /** Whether its people, and those below, are shown where resources are bought. */
  show_payment: Generated<Flag>;
  /** Whether risky jobs on its devices, and on those of the companies below, need a reason. */
  asks_reason: Generated<Flag>;
  asks_review: Generated<Flag>;
  /** Where the company is reached; empty where nobody said. */
  email: Generated<string>;
  created_at: Millis;
  updated_at: Millis;
}

export type StartPage = 'last' | 'home' | 'devices';

export interface RolesTable {
  id: Generated<number>;
  name: string;
  title: string;
  description: string;
  scope: 'all' | 'tree' | 'company';
  /** Where its holders begin: what they used last, the start page, or the devices. */
  start_page: Generated<StartPage>;
  company_id: number | null;
  created_at: Millis;
  updated_at: Millis;
}

export interface RolePermissionsTable {
  role_id: number;
  permission: string;
}

export interface UsersTable {
  id: Generated<number>;
  /** Lower case. */
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  password_hash: string;
  /** The company of their memberships that they act in after signing in: the one chosen last. */
  company_id: number;
  /** Until when others may act on their behalf. */
  impersonation_until: Generated<Millis | null>;
  /** The address was typed by somebody else and has to be confirmed first. */
  email_unverified: Generated<Flag>;
  /** The version of the terms of service that the person accepted last. */
  accepted_terms: string | null;
  last_login_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** A sign-in; its id is the refresh-token family. */
export interface SessionsTable {
  id: string;
  /** Who signed in. */
  user_id: number;
  /** The company whose rights it has. */
  company_id: number;
  /** The user whose rights it has instead of those of `user_id`. */
  on_behalf_of: number | null;
  /** While somebody impersonates another: the session of their own that waits. */
  own_session_id: string | null;
  access_hash: string;
  access_expires_at: Millis;
  refresh_hash: string;
  previous_refresh_hash: string | null;
  previous_access_hash: string | null;
  rotated_at: Millis;
  idle_expires_at: Millis;
  absolute_expires_at: Millis;
  ip: string;
  user_agent: string;
  created_at: Millis;
  last_used_at: Millis;
  /** When its person typed the password to sign in. */
  password_confirmed_at: Generated<Millis>;
  /** Hash of the last call that asked for the password again. */
  asked_call: string | null;
  /** Hash of the call that the password was typed again for, and when. */
  confirmed_call: string | null;
  call_confirmed_at: Generated<Millis>;
}

export interface StorageTable {
  user_id: number;
  key: string;
  value: JsonText;
  updated_at: Millis;
}

export interface TagsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  description: string;
  color: string;
  created_at: Millis;
  updated_at: Millis;
}

/** A reading of one number of one device. */
export interface Tables
  extends
    AutomationTables,
    CreditTables,
    DeviceTables,
    MailTables,
    MessageTables,
    PasswordTables,
    ReportTables,
    ConfigurationTables,
    MonitoringTables,
    PlaceTables,
    RemoteTables,
    TaskTables,
    SimTables,
    TelemetryTables,
    ThemeTables,
    RemoteClientTables,
    VpnTables,
    WirelessTables {
  dashboards: DashboardsTable;
  images: ImagesTable;
  views: ViewsTable;
  view_roles: ViewRolesTable;
  installation: InstallationTable;
  companies: CompaniesTable;
  company_days: CompanyDaysTable;
  company_months: CompanyMonthsTable;
  company_traffic: CompanyTrafficTable;
  roles: RolesTable;
  role_permissions: RolePermissionsTable;
  users: UsersTable;
  memberships: MembershipsTable;
  service_accounts: ServiceAccountsTable;
  impersonation_requests: ImpersonationRequestsTable;
  impersonation_logs: ImpersonationLogsTable;
  sessions: SessionsTable;
  account_links: AccountLinksTable;
  avatars: AvatarsTable;
  external_identities: ExternalIdentitiesTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  mfa_challenges: MfaChallengesTable;
  invitations: InvitationsTable;
  suppressed_emails: SuppressedEmailsTable;
  api_descriptions: ApiDescriptionsTable;
  access_tokens: AccessTokensTable;
  applications: ApplicationsTable;
  application_codes: ApplicationCodesTable;
  storage: StorageTable;
  tags: TagsTable;
  files: FilesTable;
  backup_rules: BackupRulesTable;
  signing_keys: SigningKeysTable;
  maintenance_windows: MaintenanceWindowsTable;
  task_plans: TaskPlansTable;
  tag_actions: TagActionsTable;
  tag_rules: TagRulesTable;
  tag_runs: TagRunsTable;
  enrolment_codes: EnrolmentCodesTable;
  jobs: JobsTable;
  job_targets: JobTargetsTable;
  job_target_steps: JobTargetStepsTable;
  audit: AuditTable;
  audit_seals: AuditSealsTable;
  form_versions: FormVersionsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
}

/** A connection or a transaction; repository functions take it first. */
export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;
export type TableName = keyof Tables;
export type Row<T extends TableName> = Selectable<Tables[T]>;
export type NewRow<T extends TableName> = Insertable<Tables[T]>;
export type Changes<T extends TableName> = Updateable<Tables[T]>;
