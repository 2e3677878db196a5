import { sql } from 'kysely';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { can, type Actor, type Caller, type Origin } from '../../kernel/actor.ts';
import { recordKey, writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { pathEnd, removedPath, requireCompany } from '../../kernel/tenancy.ts';
import { CompanyHasAdministrator, CompanyHasMore, CompanyTooDeep } from './errors.ts';
import { removeForeignTags } from './foreign-tags.ts';
import { DEEPEST_LEVEL } from './policy.ts';
import { assertNameFree } from './unique-name.ts';
import { presentCompany } from './present.ts';
import { findRemoved } from './removed-repo.ts';
import { findCompanies } from './repo.ts';
import { assertAllowed } from './service.ts';
import { endSessionsIn, findSubtree, idsIn, rewritePaths, type CompanyRow } from './subtree.ts';

/** What goes with a company when it is removed: counts over it and all below it, without itself. */
export type Contents = Required<FormData['companies/remove']>;

/** Counts what goes with the company whose path this is. */
async function countContents(db: Db, path: string): Promise<Contents> {
  const ids = sql`(select id from companies where path >= ${path} and path < ${pathEnd(path)})`;
  const count = (table: string) => sql<number>`(select count(*) from ${sql.ref(table)} where company_id in ${ids})`;
  return db
    .selectNoFrom([
      sql<number>`(select count(*) - 1 from companies where path >= ${path} and path < ${pathEnd(path)})`.as('companies'),
      count('devices').as('devices'),
      // People: programs belong to no other company.
      sql<number>`(select count(*) from memberships where company_id in ${ids}) - (select count(*) from service_accounts where company_id in ${ids})`.as(
        'users',
      ),
      count('tags').as('tags'),
      count('enrolment_codes').as('codes'),
      sql<number>`(select cast(coalesce(sum(balance), 0) as bigint) from credit_accounts where company_id in ${ids} and credit_type_id > 0)`.as(
        'credits',
      ),
    ])
    .executeTakeFirstOrThrow();
}

/** What would go with a company that is removed, and its name. Throws NOT_FOUND. */
export async function getContents(ctx: Context, actor: Actor, id: number): Promise<Contents & { name: string }> {
  const company = await requireCompany(ctx.reads, actor, id);
  return { ...(await countContents(ctx.reads, company.path)), name: company.name };
}

/** Who may not remove a system administrator may not do so with the company either. */
async function assertNoAdministrator(trx: Trx, actor: Actor, companyIds: readonly number[]): Promise<void> {
  if (can(actor, 'super_admin')) return;
  const administrator = await trx
    .selectFrom('memberships')
    .innerJoin('role_permissions', 'role_permissions.role_id', 'memberships.role_id')
    .select('memberships.user_id')
    .where('memberships.company_id', 'in', companyIds)
    .where('role_permissions.permission', '=', 'super_admin')
    .executeTakeFirst();
  if (administrator) throw new CompanyHasAdministrator({});
}

/**
 * Removes a company with all below it and all in it: hidden everywhere at once, gone for good after `KEPT_MS`. `seen` is what the caller was
 * shown of its contents. Throws NOT_FOUND, FORBIDDEN for the own one, COMPANY_HAS_MORE when more has come since, COMPANY_HAS_ADMINISTRATOR.
 */
export async function removeCompany(ctx: Context, { actor, origin }: Caller, id: number, seen: Partial<Contents>): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, id);
    assertAllowed(actor, 'remove', company);
    const contents = await countContents(trx, company.path);
    if (Object.entries(seen).some(([what, count]) => contents[what as keyof Contents] > count)) throw new CompanyHasMore({});
    const companyIds = (await findSubtree(trx, company.path)).map((one) => one.id);
    await assertNoAdministrator(trx, actor, companyIds);
    await rewritePaths(trx, company.path, removedPath(id, company.path), 0);
    await trx.updateTable('companies').set({ removed_at: at, updated_at: at }).where('id', '=', id).execute();
    await endSessionsIn(ctx, trx, companyIds);
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'companies.remove',
        entity: 'company',
        entityId: id,
        entityName: company.name,
        companyId: company.parent_id,
        before: { ...company },
        after: null,
      },
    ]);
    afterCommit(trx, () => ctx.live.publishBelow(company.path, 'companies', 'CompanyRemoved', { id }));
  });
}

async function requireParent(trx: Trx, actor: Actor, company: CompanyRow): Promise<{ path: string; level: number }> {
  return company.parent_id === null ? { path: '/', level: 0 } : requireCompany(trx, actor, company.parent_id);
}

/** Says of a restoration which removal it undoes, so that the two count for nothing afterwards. */
async function asUndoing(trx: Trx, origin: Origin, id: number): Promise<Origin> {
  const removal = await trx
    .selectFrom('audit')
    .select('id')
    .where('entity', '=', 'company')
    .where('entity_id', '=', id)
    .where('action', '=', 'companies.remove')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return { ...origin, undoes: new Map([[recordKey('company', id), removal.id]]) };
}

/**
 * Brings a removed company back with all that went with it, below the company that it was below. Throws NOT_FOUND, COMPANY_TOO_DEEP when that one
 * sits deeper now, NAME_TAKEN when another one has its name by now.
 */
export async function restoreCompany(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await findRemoved(trx, actor, id);
    if (!before) throw new NotFound({});
    const { name } = before;
    const parent = await requireParent(trx, actor, before);
    await assertNameFree(trx, actor, before);
    const subtree = await findSubtree(trx, before.path);
    const deeper = parent.level + 1 - before.level;
    if (Math.max(...subtree.map((one) => one.level)) + deeper > DEEPEST_LEVEL) throw new CompanyTooDeep({});
    const path = `${parent.path}${id}/`;
    await rewritePaths(trx, before.path, path, deeper);
    const after = await trx
      .updateTable('companies')
      .set({ removed_at: null, updated_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const lost = idsIn(before.path).filter((one) => !idsIn(path).includes(one));
    await removeForeignTags(ctx, trx, { actor, origin }, { companyIds: subtree.map((one) => one.id), lost });
    await writeAudit(trx, { actor, origin: await asUndoing(trx, origin, id), at }, [
      {
        action: 'companies.restore',
        entity: 'company',
        entityId: id,
        entityName: name,
        companyId: id,
        before: null,
        after: { ...after },
      },
    ]);
    const [row] = await findCompanies(trx, [id]);
    if (!row) throw new Error('the restored company is gone within its own transaction');
    // Subscribers further down see less of the path; the event leaves it out.
    const { path: _path, ...payload } = presentCompany(row, { scope: 'all', companyId: id });
    afterCommit(trx, () => ctx.live.publishBelow(path, 'companies', 'CompanyAdded', payload));
  });
}
