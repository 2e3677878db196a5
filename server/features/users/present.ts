import type { User } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';

/** What somebody is in a company, with the names of role and company. */
export interface MembershipRow {
  user_id: number;
  company_id: number;
  role_id: number;
  disabled_at: number | null;
  role_name: string;
  role_title: string;
  company_name: string;
  company_level: number;
  company_parent_id: number | null;
}

/** A person as one of its memberships shows it, and all of them that the reader sees. */
export type UserRow = Pick<
  Row<'users'>,
  'id' | 'username' | 'email' | 'first_name' | 'last_name' | 'last_login_at' | 'created_at' | 'updated_at'
> &
  MembershipRow & { memberships: MembershipRow[] };

/** A user as this actor sees it: the company above the actor's own does not show. */
export function presentUser(row: UserRow, actor: Pick<Actor, 'scope' | 'companyId'>): User {
  const isTop = actor.scope !== 'all' && row.company_id === actor.companyId;
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    role_id: row.role_id,
    role: row.role_name,
    role_title: row.role_title,
    company_id: row.company_id,
    company_name: row.company_name,
    company_level: row.company_level,
    company_parent_id: isTop ? null : row.company_parent_id,
    is_disabled: row.disabled_at !== null,
    memberships: row.memberships.map((membership) => ({
      company_id: membership.company_id,
      company_name: membership.company_name,
      role_id: membership.role_id,
      role_title: membership.role_title,
      is_disabled: membership.disabled_at !== null,
    })),
    last_login_at: wireTime(row.last_login_at),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

/** The same user for everybody who follows one company: of its memberships only the one that shows it there. */
export function asSeenIn(user: User): User {
  return {
    ...user,
    company_parent_id: null,
    memberships: user.memberships.filter((membership) => membership.company_id === user.company_id),
  };
}
