import { sql } from 'kysely';
import type { Credit, CreditCode } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { getCreditType } from './types.ts';

const creditColumns: ListColumns = {
  id: sql.ref('credit_accounts.id'),
  sorts: {
    company_name: { by: sql.ref('companies.name') },
    credit_left: { by: sql.ref('credit_accounts.balance') },
    credit_type_name: { by: sql.ref('credit_accounts.credit_type_id') },
    updated_at: { by: sql.ref('credit_accounts.updated_at') },
  },
  filters: { company_id: (values) => isOneOf(sql.ref('credit_accounts.company_id'), integers(values)) },
  search: (text) => containsText([sql.ref('companies.name')], text),
};

/** One page of what companies that the actor sees have of each type. */
export async function listCredits(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Credit[]; total: number }> {
  const base = db
    .selectFrom('credit_accounts')
    .innerJoin('companies', 'companies.id', 'credit_accounts.company_id')
    .selectAll('credit_accounts')
    .select('companies.name as company_name')
    .where('credit_accounts.kind', '=', 'company')
    .where(isVisible(actor, 'credit_accounts'));
  const { rows, total } = await applyListQuery(base, query, creditColumns);
  return {
    total,
    rows: rows.map((row) => {
      const type = getCreditType(row.credit_type_id);
      return {
        id: row.id,
        company_id: Number(row.company_id),
        company_name: row.company_name,
        credit_type_id: type.id,
        credit_type_name: type.title,
        payment_type: type.payment_type,
        credit_left: row.balance,
        updated_at: wireTime(row.updated_at),
      };
    }),
  };
}

const codeColumns: ListColumns = {
  id: sql.ref('credit_codes.id'),
  sorts: {
    company_name: { by: sql.ref('companies.name') },
    credits_amount: { by: sql.ref('credit_codes.amount') },
    activated_at: { by: sql.ref('credit_codes.used_at'), isNullable: true },
    created_at: { by: sql.ref('credit_codes.created_at') },
  },
  filters: { company_id: (values) => isOneOf(sql.ref('credit_codes.company_id'), integers(values)) },
  search: (text) => containsText([sql.ref('companies.name'), sql.ref('credit_codes.comment')], text),
};

/** One page of the codes of companies that the actor sees; the codes themselves are known to nobody any more. */
export async function listCodes(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: CreditCode[]; total: number }> {
  const base = db
    .selectFrom('credit_codes')
    .innerJoin('companies', 'companies.id', 'credit_codes.company_id')
    .selectAll('credit_codes')
    .select('companies.name as company_name')
    .where(isVisible(actor, 'credit_codes'));
  const { rows, total } = await applyListQuery(base, query, codeColumns);
  return {
    total,
    rows: rows.map((row) => ({
      id: row.id,
      company_id: row.company_id,
      company_name: row.company_name,
      code_hint: row.hint,
      credit_type_name: getCreditType(row.credit_type_id).title,
      credits_amount: row.amount,
      is_used: row.used_at !== null,
      comment: row.comment,
      activated_at: wireTime(row.used_at),
      created_at: wireTime(row.created_at),
    })),
  };
}

/** What is left of each type in all companies that the actor sees, and what was ever made for them. */
export async function sumCredits(db: Db, actor: Actor) {
  const rows = await db
    .selectFrom('credit_accounts')
    .select(['credit_type_id', sql<number>`sum(balance)`.as('left')])
    .where('kind', '=', 'company')
    .where(isVisible(actor, 'credit_accounts'))
    .groupBy('credit_type_id')
    .orderBy('credit_type_id')
    .execute();
  return rows.map((row) => {
    const type = getCreditType(row.credit_type_id);
    return {
      credit_type_id: type.id,
      credit_type: type.license_type,
      credit_type_name: type.title,
      payment_type: type.payment_type,
      credits_left: Number(row.left),
    };
  });
}
