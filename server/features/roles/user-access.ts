import { sql } from 'kysely';
import type { UserAccess } from '../../../schemas/_generated/contract.ts';
import { permissionNames } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { findFactors } from '../../kernel/auth/second-factors.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { findRolePermissions } from './repo.ts';

const MAX_COMPANIES = 100;

type AccessRow = UserAccess['places'][number];

function findPlaces(db: Db, actor: Actor, userId: number) {
  return db
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .leftJoin('companies as owner', 'owner.id', 'roles.company_id')
    .select(['companies.id', 'companies.name', 'companies.path', 'memberships.disabled_at', 'memberships.role_id'])
    .select(['roles.name as role_name', 'roles.title', 'roles.scope', 'owner.name as owner_name'])
    .where('memberships.user_id', '=', userId)
    .where(isVisible(actor, 'memberships'))
    .orderBy('companies.path')
    .execute();
}

/** The companies that both somebody with this scope and the actor see: the first of them, and how many. */
async function findReach(db: Db, actor: Actor, whose: Pick<Actor, 'scope' | 'companyId' | 'companyPath'>) {
  const inReach = db.selectFrom('companies').where(isVisible(actor, 'companies')).where(isVisible(whose, 'companies'));
  const companies = await inReach.select(['id', 'name', 'level']).orderBy('path').limit(MAX_COMPANIES).execute();
  const { count } = await inReach.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return { companies, companies_count: count };
}

async function findPermissions(db: Db, actor: Actor, roleId: number): Promise<string[] | null> {
  if (!can(actor, 'view_permissions')) return null;
  const permissions = new Set(await findRolePermissions(db, roleId));
  return permissionNames.filter((name) => can({ permissions }, name));
}

/** What a user can see and do, company by company, and the role that gives it. Throws NOT_FOUND. */
export async function getUserAccess(db: Db, actor: Actor, userId: number): Promise<UserAccess> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .where('id', '=', userId)
    .where(isVisible(actor, 'users'))
    .executeTakeFirst();
  if (!user) throw new NotFound({});
  const places: AccessRow[] = [];
  for (const row of await findPlaces(db, actor, userId)) {
    places.push({
      company_id: row.id,
      company_name: row.name,
      is_disabled: row.disabled_at !== null,
      role_id: row.role_id,
      role_name: row.role_name,
      role_title: row.title,
      role_company_name: row.owner_name,
      scope: row.scope,
      permissions: await findPermissions(db, actor, row.role_id),
      ...(await findReach(db, actor, { scope: row.scope, companyId: row.id, companyPath: row.path })),
    });
  }
  const hasSecondFactor = can(actor, 'update_users') ? (await findFactors(db, user.id)) !== undefined : null;
  return { ...user, has_second_factor: hasSecondFactor, places };
}
