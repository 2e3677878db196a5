import type { Company, FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, InvalidFields, NotFound } from '../../kernel/errors.ts';
import { insertCompany } from '../../domain/insert-company.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { CompanyTooDeep, CompanyWithoutParent } from './errors.ts';
import { assertNameFree } from './unique-name.ts';
import { judgeCompany, type CompanyAction } from './policy.ts';
import { withBalances } from './with-balances.ts';
import { presentCompany } from './present.ts';
import { findCompanies } from './repo.ts';

/** Requires that this company can be made there. Throws NOT_FOUND, COMPANY_TOO_DEEP at `parent_id`, FORBIDDEN. */
export function assertAllowed(actor: Actor, action: CompanyAction, company: Row<'companies'>): void {
  const verdict = judgeCompany(actor, action, company);
  if (verdict === 'not-found') throw new NotFound({});
  if (verdict === 'too-deep') throw new CompanyTooDeep({}, { source: 'parent_id' });
  if (verdict === 'forbidden') throw new Forbidden({});
}

/** One company as the actor sees it. Throws NOT_FOUND. */
export async function getCompany(ctx: Context, actor: Actor, id: number): Promise<Company> {
  await requireCompany(ctx.reads, actor, id);
  const [company] = await withBalances(ctx, actor, await findCompanies(ctx.reads, [id]));
  if (!company) throw new NotFound({});
  return company;
}

/** The company that a new one belongs to; null for one that is independent, which only system administrators make. Throws INVALID_FIELD at `parent_id`. */
async function requireParent(trx: Trx, actor: Actor, parentId: number | undefined): Promise<Row<'companies'> | null> {
  if (parentId === undefined) {
    if (can(actor, 'super_admin')) return null;
    throw new InvalidFields([{ source: 'parent_id', message: 'Choose the company that it belongs to.' }]);
  }
  const parent = await requireCompany(trx, actor, parentId, 'parent_id');
  assertAllowed(actor, 'create-below', parent);
  return parent;
}

/**
 * Adds a company below `parent_id`, or an independent one. Throws NOT_FOUND, COMPANY_TOO_DEEP or INVALID_FIELD at `parent_id`, NAME_TAKEN at
 * `name`.
 */
export async function createCompany(ctx: Context, { actor, origin }: Caller, input: FormData['companies/new']): Promise<number> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const parent = await requireParent(trx, actor, input.parent_id);
    await assertNameFree(trx, actor, { parent_id: parent?.id ?? null, name: input.name }, 'name');
    const company = await insertCompany(trx, parent, { name: input.name, show_payment: input.show_payment === false ? 0 : 1 }, at);
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'companies.new',
        entity: 'company',
        entityId: company.id,
        entityName: company.name,
        companyId: company.id,
        before: null,
        after: { ...company },
      },
    ]);
    const row = {
      ...company,
      parent_name: parent?.name ?? null,
      grandparent_id: null,
      grandparent_name: null,
      users_count: 0,
      devices_count: 0,
    };
    // Subscribers further down see less of the path; the event leaves it out.
    const { path: _path, ...payload } = presentCompany(row, { scope: 'all', companyId: company.id });
    afterCommit(trx, () => ctx.live.publishBelow(company.path, 'companies', 'CompanyAdded', payload));
    return company.id;
  });
}

/** Gives a company another name or address. Throws NOT_FOUND, or NAME_TAKEN at `name`. */
export async function editCompany(
  ctx: Context,
  { actor, origin }: Caller,
  id: number,
  input: Partial<FormData['companies/edit']>,
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireCompany(trx, actor, id);
    assertAllowed(actor, 'edit', before);
    const { name = before.name } = input;
    const email = input.email === undefined ? before.email : (input.email ?? '');
    if (before.name === name && before.email === email) return;
    if (before.name !== name) await assertNameFree(trx, actor, { ...before, name }, 'name');
    const after = { ...before, name, email, updated_at: at };
    await trx.updateTable('companies').set({ name, email, updated_at: at }).where('id', '=', id).execute();
    await writeAudit(trx, { actor, origin, at }, [
      { action: 'companies.edit', entity: 'company', entityId: id, entityName: name, companyId: id, before: { ...before }, after },
    ]);
    afterCommit(trx, () => ctx.live.publishBelow(before.path, 'companies', 'CompanyChanged', { id, name, email: email || null }));
  });
}

/** Says whether devices of a company may use credits of the company above, and whether its people are shown where more is bought. Throws NOT_FOUND, FORBIDDEN for the own company, COMPANY_WITHOUT_PARENT. */
export async function setCompanyFlags(
  ctx: Context,
  { actor, origin }: Caller,
  id: number,
  input: Partial<FormData['companies/flags']>,
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireCompany(trx, actor, id);
    assertAllowed(actor, 'set-flags', before);
    if (before.parent_id === null) throw new CompanyWithoutParent({}, { source: 'can_use_parent_license' });
    const { can_use_parent_license = before.can_use_parent_license === 1, show_payment = before.show_payment === 1 } = input;
    const flags = { can_use_parent_license: can_use_parent_license ? 1 : 0, show_payment: show_payment ? 1 : 0 } as const;
    if (before.can_use_parent_license === flags.can_use_parent_license && before.show_payment === flags.show_payment) return;
    const after = { ...before, ...flags, updated_at: at };
    await trx
      .updateTable('companies')
      .set({ ...flags, updated_at: at })
      .where('id', '=', id)
      .execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'companies.flags',
        entity: 'company',
        entityId: id,
        entityName: before.name,
        companyId: id,
        before: { ...before },
        after,
      },
    ]);
    afterCommit(trx, () => ctx.live.publishBelow(before.path, 'companies', 'CompanyChanged', { id, can_use_parent_license, show_payment }));
  });
}
