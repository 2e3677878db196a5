import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { Forbidden } from '../../kernel/errors.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { CompanyElsewhere, CompanyThereAlready, CompanyTooDeep, CompanyUnderItself } from './errors.ts';
import { dropLostRoles } from './lost-roles.ts';
import { removeForeignTags } from './foreign-tags.ts';
import { judgeCompanyMove } from './policy.ts';
import { assertNameFree } from './unique-name.ts';
import { presentCompany } from './present.ts';
import { findCompanies } from './repo.ts';
import { endSessionsIn, findSubtree, idsIn, rewritePaths, type CompanyRow } from './subtree.ts';

function assertMove(caller: Caller, source: CompanyRow, target: CompanyRow, deepest: number): void {
  switch (judgeCompanyMove(caller.actor, source, target, deepest - source.level)) {
    case 'forbidden':
      throw new Forbidden({});
    case 'there-already':
      throw new CompanyThereAlready({}, { source: 'target' });
    case 'under-itself':
      throw new CompanyUnderItself({}, { source: 'target' });
    case 'elsewhere':
      throw new CompanyElsewhere({}, { source: 'target' });
    case 'too-deep':
      throw new CompanyTooDeep({}, { source: 'target' });
    case 'allow':
  }
}

/**
 * Moves a company with all below it under another company of the same tree. People of the subtree, and of companies that are above it no
 * more, have to sign in again. Throws NOT_FOUND at `source` or `target`, FORBIDDEN, COMPANY_THERE_ALREADY, COMPANY_UNDER_ITSELF,
 * COMPANY_ELSEWHERE and COMPANY_TOO_DEEP at `target`, NAME_TAKEN at `source`.
 */
export async function moveCompany(ctx: Context, caller: Caller, input: { source: number; target: number }): Promise<void> {
  const { actor, origin } = caller;
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const source = await requireCompany(trx, actor, input.source, 'source');
    const target = await requireCompany(trx, actor, input.target, 'target');
    const subtree = await findSubtree(trx, source.path);
    assertMove(caller, source, target, Math.max(...subtree.map((company) => company.level)));
    await assertNameFree(trx, actor, { id: source.id, parent_id: target.id, name: source.name }, 'source');
    const path = `${target.path}${source.id}/`;
    await rewritePaths(trx, source.path, path, target.level + 1 - source.level);
    const after = await trx
      .updateTable('companies')
      .set({ parent_id: target.id, updated_at: at })
      .where('id', '=', source.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const companyIds = subtree.map((company) => company.id);
    const lost = idsIn(source.path).filter((id) => !idsIn(path).includes(id));
    await removeForeignTags(ctx, trx, caller, { companyIds, lost });
    await dropLostRoles(ctx, trx, caller, { companyIds, lost });
    await endSessionsIn(ctx, trx, [...companyIds, ...lost]);
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'companies.move',
        entity: 'company',
        entityId: source.id,
        entityName: source.name,
        companyId: source.id,
        before: { ...source },
        after: { ...after },
      },
    ]);
    const [row] = await findCompanies(trx, [source.id]);
    if (!row) throw new Error('the moved company is gone within its own transaction');
    afterCommit(trx, () => {
      ctx.live.publishBelow(source.path, 'companies', 'CompanyRemoved', { id: source.id });
      // Subscribers further down see less of the path; the event leaves it out.
      const { path: _path, ...payload } = presentCompany(row, { scope: 'all', companyId: source.id });
      ctx.live.publishBelow(path, 'companies', 'CompanyAdded', payload);
    });
  });
}
