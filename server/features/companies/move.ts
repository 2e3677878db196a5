import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, NameTaken } from '../../kernel/errors.ts';
import { pathEnd, requireCompany } from '../../kernel/tenancy.ts';
import { CompanyElsewhere, CompanyThereAlready, CompanyTooDeep, CompanyUnderItself } from './errors.ts';
import { judgeCompanyMove } from './policy.ts';
import { presentCompany } from './present.ts';
import { findCompanies } from './repo.ts';

type Company = Row<'companies'>;

const idsIn = (path: string): number[] => path.split('/').filter(Boolean).map(Number);

/** The condition "in this company or below it" on a column that holds a path. */
function isBelow(column: string, path: string) {
  return sql<boolean>`${sql.ref(column)} >= ${path} and ${sql.ref(column)} < ${pathEnd(path)}`;
}

/** The companies of a subtree that is given to be within the actor's scope. */
function findSubtree(db: Db, path: string): Promise<Company[]> {
  return db.selectFrom('companies').selectAll().where(isBelow('path', path)).execute();
}

function assertMove(caller: Caller, source: Company, target: Company, deepest: number): void {
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

/** Puts another beginning on every path of the subtree, and the levels that follow from it. */
async function rewritePaths(trx: Trx, source: Company, target: Company): Promise<string> {
  const path = `${target.path}${source.id}/`;
  const rest = (column: string) => sql<string>`${path} || substr(${sql.ref(column)}, ${sql.lit(source.path.length + 1)})`;
  const deeper = target.level + 1 - source.level;
  await trx
    .updateTable('companies')
    .set((eb) => ({ path: rest('path'), level: eb('level', '+', deeper) }))
    .where(isBelow('path', source.path))
    .execute();
  await trx
    .updateTable('jobs')
    .set({ reach_path: rest('reach_path') })
    .where(isBelow('reach_path', source.path))
    .execute();
  return path;
}

/** Takes the tags of companies that are above no more off devices and enrolment codes of the subtree. */
async function dropLostTags(trx: Trx, companyIds: readonly number[], lostCompanies: readonly number[]): Promise<void> {
  if (lostCompanies.length === 0) return;
  const lost = await trx.selectFrom('tags').select('id').where('company_id', 'in', lostCompanies).execute();
  const lostIds = new Set(lost.map((tag) => tag.id));
  if (lostIds.size === 0) return;
  await trx
    .deleteFrom('device_tags')
    .where('tag_id', 'in', [...lostIds])
    .where('device_id', 'in', (eb) => eb.selectFrom('devices').select('id').where('company_id', 'in', companyIds))
    .execute();
  const codes = await trx.selectFrom('enrolment_codes').select(['id', 'tag_ids']).where('company_id', 'in', companyIds).execute();
  for (const code of codes) {
    const tagIds: unknown = JSON.parse(code.tag_ids);
    const kept = Array.isArray(tagIds) ? tagIds.filter((id: unknown) => typeof id === 'number' && !lostIds.has(id)) : [];
    await trx
      .updateTable('enrolment_codes')
      .set({ tag_ids: JSON.stringify(kept) })
      .where('id', '=', code.id)
      .execute();
  }
}

/** Ends sessions and sockets of everybody in these companies: what they may see is another thing now. */
async function endSessionsIn(ctx: Context, trx: Trx, companyIds: readonly number[]): Promise<void> {
  const people = await trx.selectFrom('users').select('id').where('company_id', 'in', companyIds).execute();
  const ended = await trx
    .deleteFrom('sessions')
    .where('user_id', 'in', ctx.database.tools.idList(people.map((person) => person.id)))
    .returning('user_id')
    .execute();
  const userIds = new Set(ended.map((session) => session.user_id));
  afterCommit(trx, () => {
    for (const userId of userIds) ctx.live.closeSockets({ userId });
  });
}

/**
 * Moves a company with all below it under another company of the same tree. People of the subtree, and of companies that are above it no
 * more, have to sign in again. Throws NOT_FOUND at `source` or `target`, FORBIDDEN, COMPANY_THERE_ALREADY, COMPANY_UNDER_ITSELF,
 * COMPANY_ELSEWHERE and COMPANY_TOO_DEEP at `target`, NAME_TAKEN at `source`.
 */
export async function moveCompany(ctx: Context, caller: Caller, input: { source: number; target: number }): Promise<void> {
  const { actor, origin } = caller;
  const at = ctx.clock.now();
  let name = '';
  try {
    await inTransaction(ctx.db, async (trx) => {
      const source = await requireCompany(trx, actor, input.source, 'source');
      const target = await requireCompany(trx, actor, input.target, 'target');
      ({ name } = source);
      const subtree = await findSubtree(trx, source.path);
      assertMove(caller, source, target, Math.max(...subtree.map((company) => company.level)));
      const path = await rewritePaths(trx, source, target);
      const after = await trx
        .updateTable('companies')
        .set({ parent_id: target.id, updated_at: at })
        .where('id', '=', source.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const companyIds = subtree.map((company) => company.id);
      const lost = idsIn(source.path).filter((id) => !idsIn(path).includes(id));
      await dropLostTags(trx, companyIds, lost);
      await endSessionsIn(ctx, trx, [...companyIds, ...lost]);
      await writeAudit(trx, { actor, origin, at }, [
        {
          action: 'companies.move',
          entity: 'company',
          entityId: source.id,
          entityName: name,
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
  } catch (error) {
    if (isUniqueViolation(error)) throw new NameTaken({ name }, { source: 'source', cause: error });
    throw error;
  }
}
