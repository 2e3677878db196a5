import { sql, type Expression, type SqlBool } from 'kysely';
import type { Db } from '../db/schema.ts';
import type { Actor } from './actor.ts';
import { NotFound } from './errors.ts';

/** Tables whose rows belong to a company, and the column that says which. */
const companyColumns = {
  companies: 'companies.id',
  users: 'users.id',
  memberships: 'memberships.company_id',
  invitations: 'invitations.company_id',
  service_accounts: 'service_accounts.company_id',
  access_tokens: 'access_tokens.company_id',
  applications: 'applications.company_id',
  impersonation_logs: 'impersonation_logs.company_id',
  tags: 'tags.company_id',
  task_groups: 'task_groups.company_id',
  devices: 'devices.company_id',
  removed_devices: 'removed_devices.company_id',
  enrolment_codes: 'enrolment_codes.company_id',
  jobs: 'jobs.company_id',
  job_targets: 'job_targets.company_id',
  device_events: 'device_events.company_id',
  files: 'files.company_id',
  backup_rules: 'backup_rules.company_id',
  signing_keys: 'signing_keys.company_id',
  maintenance_windows: 'maintenance_windows.company_id',
  automations: 'automations.company_id',
  on_call_schedules: 'on_call_schedules.company_id',
  report_audits: 'report_audits.company_id',
  dashboards: 'dashboards.company_id',
  images: 'images.company_id',
  sites: 'sites.company_id',
  sims: 'sims.company_id',
  vpn_hubs: 'vpn_hubs.company_id',
  remote_sessions: 'remote_sessions.company_id',
  terminal_keys: 'terminal_keys.company_id',
  remote_consents: 'remote_consents.company_id',
  hotspot_vouchers: 'hotspot_vouchers.company_id',
  automation_logs: 'automation_logs.company_id',
  alerts: 'alerts.company_id',
  monitoring_templates: 'monitoring_templates.company_id',
  configuration_templates: 'configuration_templates.company_id',
  change_sets: 'change_sets.company_id',
  configuration_variables: 'configuration_variables.company_id',
  reports: 'reports.company_id',
  generated_reports: 'generated_reports.company_id',
  report_devices: 'report_devices.company_id',
  report_days: 'report_days.company_id',
  report_values: 'report_values.company_id',
  task_plans: 'task_plans.company_id',
  password_plans: 'password_plans.company_id',
  device_password_looks: 'device_password_looks.company_id',
  audit: 'audit.company_id',
  notifications: 'notifications.company_id',
  mail_log: 'mail_log.company_id',
  email_configurations: 'email_configurations.company_id',
  suppressed_emails: 'suppressed_emails.company_id',
  credit_accounts: 'credit_accounts.company_id',
  credit_codes: 'credit_codes.company_id',
  credit_entries: 'credit_entries.company_id',
  company_months: 'company_months.company_id',
  company_traffic: 'company_traffic.company_id',
} as const;
export type TenantTable = keyof typeof companyColumns;

/** The text after every path that starts with `path`: `/` is followed by `0` in byte order. */
export function pathEnd(path: string): string {
  return `${path.slice(0, -1)}0`;
}

/** `/1/5/` → 1, 5: a company and those above it, from the top. */
export function idsOnPath(companyPath: string): number[] {
  return companyPath.split('/').filter(Boolean).map(Number);
}

/** `/1/5/` → 1: the company at the top of a path. */
export function topOf(companyPath: string): number {
  return Number(companyPath.split('/')[1]);
}

/**
 * Companies that were removed, and all below them, have paths that begin with the removal, `-5/1/5/`: before `/` in byte order. So no scope
 * reaches them, they answer as if they had never been, and one removal inside another stays apart from it.
 */
export function removedPath(id: number, path: string): string {
  return `-${id}${path}`;
}

/**
 * The path of the company that stands for the bin of devices. A removed device belongs to it, so for every scope, list, count and search it is
 * in a removed company, and no query has to know of the bin. The row is made when the first device goes there.
 */
export const BIN_PATH = '-bin/';

/** Whether this is the path of a company that was not removed. */
export function isPresent(path: string): boolean {
  return path.startsWith('/');
}

/** The condition "this company was not removed" on a column that holds a path. */
export function isPresentPath(column: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} >= '/'`;
}

type Scope = Pick<Actor, 'scope' | 'companyId' | 'companyPath'>;

const idsInTree = (actor: Scope) =>
  sql`(select c.id from companies as c where c.path >= ${actor.companyPath} and c.path < ${pathEnd(actor.companyPath)})`;

/** The same as `isVisible` for the few memberships of one person: the plus keeps SQLite from asking each company of the tree for that person. */
function isMemberVisible(actor: Scope): Expression<SqlBool> {
  if (actor.scope !== 'tree') return isVisible(actor, 'memberships');
  return sql<SqlBool>`+memberships.company_id in ${idsInTree(actor)}`;
}

/**
 * The same as `isVisible` on `users`, for a list of people: for those who see all companies it looks up once whom nobody sees, because all their
 * companies were removed, and not each person's companies.
 */
export function isVisiblePerson(actor: Scope): Expression<SqlBool> {
  if (actor.scope !== 'all') return isVisible(actor, 'users');
  return sql<SqlBool>`users.id not in (select lost.user_id from companies as gone
    inner join memberships as lost on lost.company_id = gone.id where gone.path < '/' and not exists (select 1 from memberships as kept
    inner join companies as present on present.id = kept.company_id where kept.user_id = lost.user_id and present.path >= '/'))`;
}

/** The condition "this row's company is one the actor sees", for any query that has the table in it. */
export function isVisible(actor: Scope, table: TenantTable): Expression<SqlBool> {
  const column = sql.ref(companyColumns[table]);
  // A person is seen by those who see one of the companies that they belong to.
  if (table === 'users')
    return sql<SqlBool>`exists (select 1 from memberships where memberships.user_id = users.id and ${isMemberVisible(actor)})`;
  if (actor.scope === 'all') {
    if (table === 'companies') return isPresentPath('companies.path');
    // Where no company was removed, nothing is looked up for each row.
    return sql<SqlBool>`(not exists (select 1 from companies as gone where gone.path < '/')
      or coalesce(${column}, 0) not in (select gone.id from companies as gone where gone.path < '/'))`;
  }
  if (actor.scope === 'company') return sql<SqlBool>`${column} = ${actor.companyId}`;
  if (table === 'companies') {
    return sql<SqlBool>`companies.path >= ${actor.companyPath} and companies.path < ${pathEnd(actor.companyPath)}`;
  }
  return sql<SqlBool>`${column} in ${idsInTree(actor)}`;
}

/** Whether the actor's scope has this company in it. The same rule as `isVisible`, for a row at hand. */
export function seesCompany(actor: Scope, company: { id: number; path: string }): boolean {
  if (actor.scope === 'all') return isPresent(company.path);
  if (actor.scope === 'company') return company.id === actor.companyId;
  return company.path.startsWith(actor.companyPath);
}

/** The condition "this company is one of the given ones or below one of them". Values that are no ids match nothing. */
export function isWithin(column: Expression<unknown>, companyIds: readonly (string | number)[]): Expression<SqlBool> {
  const ids = companyIds.filter((id) => typeof id === 'number');
  if (ids.length === 0) return sql<SqlBool>`1 = 0`;
  return sql<SqlBool>`${column} in (select below.id from companies as top inner join companies as below
    on below.path >= top.path and below.path < substr(top.path, 1, length(top.path) - 1) || '0' where top.id in (${sql.join(ids)}))`;
}

/** The company's row; NOT_FOUND when it does not exist or is outside the actor's scope: both are the same answer. */
export async function requireCompany(db: Db, actor: Actor, companyId: number, source?: string) {
  const company = await db
    .selectFrom('companies')
    .selectAll()
    .where('companies.id', '=', companyId)
    .where(isVisible(actor, 'companies'))
    .executeTakeFirst();
  if (!company) throw new NotFound({}, source === undefined ? {} : { source });
  return company;
}
