import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { EnrolmentCode } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, integers, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import type { CodeRow } from './present.ts';

const code = (name: string) => sql.ref(`enrolment_codes.${name}`);

function stateConditions(now: number): Record<EnrolmentCode['state'], RawBuilder<SqlBool>> {
  const notRevoked = sql<SqlBool>`${code('revoked_at')} is null`;
  const left = sql<SqlBool>`${notRevoked} and ${code('used')} < ${code('uses')}`;
  return {
    withdrawn: sql`${code('revoked_at')} is not null`,
    used_up: sql`(${notRevoked} and ${code('used')} >= ${code('uses')})`,
    expired: sql`(${left} and ${code('expires_at')} <= ${now})`,
    active: sql`(${left} and ${code('expires_at')} > ${now})`,
  };
}

function columnsAt(now: number): ListColumns {
  const states: Record<string, RawBuilder<SqlBool>> = stateConditions(now);
  return {
    id: sql.ref('enrolment_codes.id'),
    sorts: {
      company_name: byText('companies.name'),
      used: { by: code('used') },
      uses: { by: code('uses') },
      expires_at: { by: code('expires_at') },
      created_at: { by: code('created_at') },
    },
    filters: {
      state: (values) =>
        sql<SqlBool>`(${sql.join(
          values.flatMap((value) => states[value] ?? []),
          sql` or `,
        )})`,
      company_id: (values) => isWithin(code('company_id'), integers(values)),
    },
  };
}

function visibleCodes(db: Db, actor: Actor) {
  return db
    .selectFrom('enrolment_codes')
    .innerJoin('companies', 'companies.id', 'enrolment_codes.company_id')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'enrolment_codes.created_by').on(isVisible(actor, 'users')))
    .selectAll('enrolment_codes')
    .select(['companies.name as company_name', 'companies.path as company_path', 'users.username as user_name'])
    .where(isVisible(actor, 'enrolment_codes'));
}

/** One page of the codes of companies that the actor sees. */
export async function listCodes(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: CodeRow[]; total: number }> {
  return applyListQuery(visibleCodes(ctx.reads, actor), query, columnsAt(ctx.clock.now()));
}

/** The code with this id when the actor sees it. */
export async function findCode(db: Db, actor: Actor, id: number): Promise<(CodeRow & { company_path: string }) | undefined> {
  return visibleCodes(db, actor).where('enrolment_codes.id', '=', id).executeTakeFirst();
}

function tagIdsOf(row: Pick<CodeRow, 'tag_ids'>): number[] {
  const ids: unknown = JSON.parse(row.tag_ids);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
}

/** The tags of each code, as far as the actor sees them; tags that were removed since are left out. */
export async function findCodeTags(db: Db, actor: Actor, rows: readonly CodeRow[]): Promise<Map<number, EnrolmentCode['tags']>> {
  const ids = [...new Set(rows.flatMap(tagIdsOf))];
  if (ids.length === 0) return new Map();
  const tags = await db
    .selectFrom('tags')
    .select(['tags.id', 'tags.name', 'tags.color'])
    .where('tags.id', 'in', ids)
    .where(isVisible(actor, 'tags'))
    .execute();
  const byId = new Map(tags.map((tag) => [tag.id, { ...tag, color: tag.color || null }]));
  return new Map(rows.map((row) => [row.id, tagIdsOf(row).flatMap((id) => byId.get(id) ?? [])]));
}
