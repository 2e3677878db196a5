import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { mayActForRole } from '../../kernel/auth/role-rights.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** A user as a member of one company, in which somebody may impersonate them. */
export interface Subject {
  id: number;
  username: string;
  email: string;
  company_id: number;
  company_name: string;
  role_id: number;
  until: number | null;
}

/** The user in a company that the actor sees; without one named, in the first of them, the company where the user begins before others. */
export async function findSubject(db: Db, actor: Actor, userId: number, companyId?: number): Promise<Subject | undefined> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(['users.id', 'users.username', 'users.email', 'users.impersonation_until as until', 'users.company_id as start_id'])
    .select(['memberships.company_id', 'memberships.role_id', 'companies.name as company_name'])
    .where('users.id', '=', userId)
    .where('memberships.disabled_at', 'is', null)
    .where(isVisible(actor, 'memberships'))
    .$if(companyId !== undefined, (query) => query.where('memberships.company_id', '=', companyId ?? 0))
    .orderBy('memberships.company_id')
    .execute();
  return rows.find((row) => row.company_id === row.start_id) ?? rows[0];
}

/** Whether the actor may impersonate this user: not themselves, and by `mayActForRole`. */
export async function mayActFor(db: Db, actor: Actor, subject: Pick<Subject, 'id' | 'role_id'>): Promise<boolean> {
  return subject.id !== actor.userId && (await mayActForRole(db, actor, subject.role_id));
}
