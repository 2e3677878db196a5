import { sql, type RawBuilder } from 'kysely';
import { isPresentPath } from '../tenancy.ts';
import type { Db, NewRow, Row, Trx } from '../../db/schema.ts';
import { textKey } from '../apply-list-query.ts';

export type Membership = Row<'memberships'>;

/** Adds a person with their first membership. Throws the database's error when the address is taken. */
export async function insertUser(
  trx: Trx | Db,
  { role_id, ...user }: Omit<NewRow<'users'>, 'updated_at'> & { role_id: number },
): Promise<Row<'users'> & { role_id: number }> {
  const row = await trx
    .insertInto('users')
    .values({ ...user, updated_at: user.created_at })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertMembership(trx, { userId: row.id, companyId: row.company_id, roleId: role_id, at: row.created_at });
  return { ...row, role_id };
}

/** Adds a person to one more company. Throws the database's error when they belong to it already. `at`: unix milliseconds. */
export async function insertMembership(
  trx: Trx | Db,
  member: { userId: number; companyId: number; roleId: number; at: number },
): Promise<Membership> {
  return trx
    .insertInto('memberships')
    .values({
      user_id: member.userId,
      company_id: member.companyId,
      role_id: member.roleId,
      disabled_at: null,
      created_at: member.at,
      updated_at: member.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * The company in which a person begins: the one they chose last, or another one when they are disabled there. Undefined for somebody who is
 * disabled everywhere and so cannot come in.
 */
export async function findStartCompany(db: Db, userId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select('memberships.company_id')
    .where('users.id', '=', userId)
    .where('memberships.disabled_at', 'is', null)
    .where(isPresentPath('companies.path'))
    .orderBy((eb) => eb.case().whenRef('memberships.company_id', '=', 'users.company_id').then(0).else(1).end())
    .orderBy('memberships.company_id')
    .limit(1)
    .executeTakeFirst();
  return row?.company_id;
}

/** The companies in which a person may act, with their role in each, in the order of the names. */
export async function listOwnMemberships(db: Db, userId: number) {
  return db
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(['memberships.company_id', 'companies.name as company_name', 'memberships.role_id'])
    .select(['roles.name as role_name', 'roles.title as role_title'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.disabled_at', 'is', null)
    .where(isPresentPath('companies.path'))
    .orderBy(textKey(sql.ref('companies.name')))
    .orderBy('companies.id')
    .execute();
}

/** Takes everybody out of companies that go for good; accounts without any company go too. `companyIds`: a list of the dialect. */
export async function removeMembershipsIn(trx: Trx, companyIds: RawBuilder<number>): Promise<void> {
  for (const table of ['memberships', 'sessions', 'access_tokens'] as const)
    await trx.deleteFrom(table).where('company_id', 'in', companyIds).execute();
  await trx
    .deleteFrom('users')
    .where('company_id', 'in', companyIds)
    .where('id', 'not in', (eb) => eb.selectFrom('memberships').select('user_id'))
    .execute();
  await trx
    .updateTable('users')
    .set({ company_id: sql<number>`(select min(m.company_id) from memberships as m where m.user_id = users.id)` })
    .where('company_id', 'in', companyIds)
    .execute();
}
