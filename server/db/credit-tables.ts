import type { Generated } from 'kysely';
import type { Millis } from './schema.ts';

/** One side of the ledger. `issued` and `spent` belong to nobody; what is in a code that waits to be used stands on its company's `codes`. */
export interface CreditAccountsTable {
  id: Generated<number>;
  kind: 'company' | 'codes' | 'issued' | 'spent';
  company_id: number | null;
  credit_type_id: number;
  /** The sum of its entries; below zero only for `issued`. */
  balance: number;
  updated_at: Millis;
}

export interface CreditTransfersTable {
  id: Generated<number>;
  kind: 'add' | 'move' | 'new-code' | 'activate-code' | 'data';
  credit_type_id: number;
  user_id: number | null;
  price_cents: number | null;
  pro_form_nr: string | null;
  code_id: number | null;
  created_at: Millis;
}

/** Half of a transfer; the two halves sum to zero. Never changed, never deleted. */
export interface CreditEntriesTable {
  id: Generated<number>;
  transfer_id: number;
  account_id: number;
  amount: number;
}

export interface CreditCodesTable {
  id: Generated<number>;
  company_id: number;
  credit_type_id: number;
  amount: number;
  code_hash: string;
  /** The last characters, so that people can tell codes apart. */
  hint: string;
  comment: string;
  created_by: number | null;
  used_by_company_id: number | null;
  used_at: Millis | null;
  created_at: Millis;
}
