import { withoutDisabledParts } from '../../kernel/auth/disabled-parts.ts';
import { idsOnPath } from '../../kernel/tenancy.ts';
import { sql } from 'kysely';
import { notificationKinds, type NotificationKind } from '../../../schemas/kit/resources/notification-kinds.ts';
import type { Row, Trx } from '../../db/schema.ts';

/** How somebody is notified of something. */
export interface Recipient {
  userId: number;
  inConsole: boolean;
  byMail: boolean;
}

type Company = Pick<Row<'companies'>, 'id' | 'path'>;
type Rule = Pick<Row<'notification_rules'>, 'user_id' | 'company_id' | 'in_console' | 'by_mail' | 'alert_mail'>;

/** Enabled members whose role lets them see the company and such things in it; somebody may be one in several companies. */
async function findCandidates(trx: Trx, company: Company, kind: NotificationKind, userId: number | null) {
  // A notification that a tree's theme switches off goes there to system administrators only.
  const shown = await withoutDisabledParts(trx, company.path, new Set([notificationKinds[kind].permission]));
  const query = trx
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(['memberships.user_id as id', 'companies.path'])
    .where('memberships.disabled_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('roles.scope', '=', 'all'),
        eb('memberships.company_id', '=', company.id),
        eb.and([eb('roles.scope', '=', 'tree'), eb('memberships.company_id', 'in', idsOnPath(company.path))]),
      ]),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('role_permissions')
          .select(sql`1`.as('one'))
          .whereRef('role_permissions.role_id', '=', 'memberships.role_id')
          .where('role_permissions.permission', 'in', ['super_admin', ...shown]),
      ),
    );
  return (userId === null ? query : query.where('memberships.user_id', '=', userId)).execute();
}

/** The rule that counts: of the company itself or the nearest above it, else the one for every company. */
function nearestRule(rules: readonly Rule[], path: string): Rule | undefined {
  const nearestFirst = [...idsOnPath(path).toReversed(), null];
  return nearestFirst.map((id) => rules.find((rule) => rule.company_id === id)).find((rule) => rule !== undefined);
}

function judge(rule: Rule | undefined, kind: NotificationKind, isOwnTree: boolean): Pick<Recipient, 'inConsole' | 'byMail'> {
  if (!rule) return { inConsole: isOwnTree && notificationKinds[kind].isOn, byMail: false };
  const includes = (list: string): boolean => (JSON.parse(list) as string[]).includes(kind);
  return { inConsole: includes(rule.in_console), byMail: includes(rule.by_mail) };
}

/**
 * Who is notified of something of this kind in a company, and how, by their own rules (docs/behaviour.md section 4, Notification).
 * Without a rule: in the console, of their own company and those below it, the kinds that are on by default.
 */
export async function findRecipients(trx: Trx, company: Company, kind: NotificationKind, userId: number | null): Promise<Recipient[]> {
  const candidates = await findCandidates(trx, company, kind, userId);
  if (candidates.length === 0) return [];
  const ids = candidates.map((user) => user.id);
  const rules = await trx
    .selectFrom('notification_rules')
    .select(['user_id', 'company_id', 'in_console', 'by_mail', 'alert_mail'])
    .where('user_id', 'in', ids)
    .execute();
  return [...new Set(ids)]
    .map((id) => {
      const own = rules.filter((rule) => rule.user_id === id);
      const isOwnTree = candidates.some((member) => member.id === id && company.path.startsWith(member.path));
      return { userId: id, ...judge(nearestRule(own, company.path), kind, isOwnTree) };
    })
    .filter((recipient) => recipient.inConsole || recipient.byMail);
}

export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The severities from one on; none for `none`. */
export const severitiesFrom = (least: 'none' | Severity): Severity[] =>
  least === 'none' ? [] : SEVERITIES.slice(SEVERITIES.indexOf(least));

/** Who wants alerts of this severity in a company by mail at once, by their own nearest rule. */
export async function findMailRecipients(trx: Trx, company: Company, severity: Severity): Promise<number[]> {
  const candidates = await findCandidates(trx, company, 'deviceAlert', null);
  const ids = [...new Set(candidates.map(({ id }) => id))];
  if (ids.length === 0) return [];
  const rules = await trx
    .selectFrom('notification_rules')
    .select(['user_id', 'company_id', 'in_console', 'by_mail', 'alert_mail'])
    .where('user_id', 'in', ids)
    .execute();
  const byUser = Map.groupBy(rules, (rule) => rule.user_id);
  return ids.filter((id) => severitiesFrom(nearestRule(byUser.get(id) ?? [], company.path)?.alert_mail ?? 'none').includes(severity));
}
