import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery, ListRules } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { nameIfSeen } from './history.ts';
import { getCreditType } from './types.ts';

const FIELDS = ['id', 'user_id', 'user', 'from_company', 'to_company', 'credit_type_id', 'credit_type_name', 'count', 'created_at'];

/** What the list of moves may be asked. */
export const moveRules: ListRules = {
  sorts: new Set(['id', 'created_at']),
  filters: new Map(['company_id', 'pool_id', 'credit_type_id'].map((key) => [key, { kind: 'integer', isNegatable: false }])),
  fields: new Map(FIELDS.map((field) => [field, undefined])),
  defaultSort: { key: 'created_at', isDescending: true },
  isSearchable: true,
};

const hasEntry = (condition: ReturnType<typeof isOneOf>) =>
  sql<SqlBool>`exists (select 1 from credit_entries where credit_entries.transfer_id = credit_transfers.id and ${condition})`;

const columns: ListColumns = {
  id: sql.ref('credit_transfers.id'),
  // Transfers are numbered in the order of time.
  sorts: { id: { by: sql.ref('credit_transfers.id') }, created_at: { by: sql.ref('credit_transfers.id') } },
  filters: {
    company_id: (values) => hasEntry(isOneOf(sql.ref('credit_entries.company_id'), integers(values))),
    pool_id: (values) => hasEntry(isOneOf(sql.ref('credit_entries.account_id'), integers(values))),
    credit_type_id: (values) => isOneOf(sql.ref('credit_transfers.credit_type_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('credit_transfers.user_name')], text),
};

/** One page of moves between companies of which the actor sees at least one, each once; the name of one out of sight is null. */
export async function listMoves(db: Db, actor: Actor, query: ListQuery) {
  const base = db
    .selectFrom('credit_transfers')
    .leftJoin('companies as giver', 'giver.id', 'credit_transfers.from_company_id')
    .leftJoin('companies as taker', 'taker.id', 'credit_transfers.to_company_id')
    .where('credit_transfers.kind', '=', 'move')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('credit_entries')
          .select('credit_entries.id')
          .whereRef('credit_entries.transfer_id', '=', 'credit_transfers.id')
          .where(isVisible(actor, 'credit_entries')),
      ),
    )
    .select([
      'credit_transfers.id',
      'credit_transfers.user_id',
      'credit_transfers.user_name as user',
      'credit_transfers.credit_type_id',
      'credit_transfers.created_at',
      nameIfSeen('giver', actor).as('from_company'),
      nameIfSeen('taker', actor).as('to_company'),
      sql<number>`(select cast(sum(got.amount) as bigint) from credit_entries as got where got.transfer_id = credit_transfers.id and got.amount > 0)`.as(
        'count',
      ),
    ]);
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      count: Number(row.count),
      credit_type_name: getCreditType(row.credit_type_id).kind,
      created_at: wireTime(row.created_at),
    })),
  };
}
