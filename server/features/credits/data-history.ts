import { sql } from 'kysely';
import type { DataPurchase } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { entryColumns } from './history.ts';
import { CREDIT_BYTES, DATA_BYTES_TYPE_ID } from './types.ts';

const columns: ListColumns = {
  ...entryColumns,
  search: (text) => containsText([sql.ref('companies.name'), sql.ref('credit_transfers.user_name')], text),
};

/** One page of the data that companies which the actor sees bought: bytes that came, and the credits they cost. */
export async function listDataPurchases(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: DataPurchase[]; total: number }> {
  const base = db
    .selectFrom('credit_entries')
    .innerJoin('credit_transfers', 'credit_transfers.id', 'credit_entries.transfer_id')
    .innerJoin('companies', 'companies.id', 'credit_entries.company_id')
    .leftJoin('users', 'users.id', 'credit_transfers.user_id')
    .where('credit_transfers.kind', '=', 'data')
    .where('credit_transfers.credit_type_id', '=', DATA_BYTES_TYPE_ID)
    .where(isVisible(actor, 'credit_entries'))
    .select([
      'credit_entries.id',
      'credit_transfers.created_at',
      'companies.id as company_id',
      'companies.name as company',
      'credit_entries.amount as data',
      'credit_transfers.user_id',
      'credit_transfers.user_name as user',
      'users.email',
    ]);
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    total,
    rows: rows.map((row) => ({ ...row, credits_used: Math.round(row.data / CREDIT_BYTES), created_at: wireTime(row.created_at) })),
  };
}
