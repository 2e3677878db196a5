import type { User } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';

/** A user's row with the names of its role and company. */
export type UserRow = Omit<Row<'users'>, 'password_hash' | 'email_unverified' | 'accepted_terms'> & {
  role_name: string;
  role_title: string;
  company_name: string;
  company_level: number;
  company_parent_id: number | null;
};

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
    last_login_at: wireTime(row.last_login_at),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}
