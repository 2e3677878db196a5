import type { Generated } from 'kysely';
import type { Flag, Millis } from './column-types.ts';

/**
 * One side of the ledger. `issued`, `spent` and `expired` belong to nobody; what is in a code that waits to be used is on its company's
 * `codes`, what a device will use from its first connection on is on `reserved` of the company that paid. What was on `company` is `closed` once the company is gone for good.
 */
export type CreditAccountKind = 'company' | 'closed' | 'codes' | 'reserved' | 'issued' | 'spent' | 'expired';

interface CreditAccountsTable {
  id: Generated<number>;
  kind: CreditAccountKind;
  company_id: number | null;
  credit_type_id: number;
  /** The sum of its entries; below zero only for `issued`. */
  balance: number;
  /** What is on it cannot be used from then on; null: no end. */
  expires_at: Millis | null;
  /** The sum of the entries that added to it. */
  received: Generated<number>;
  /** How many entries it has: counting them takes too long for a list. */
  entries_count: Generated<number>;
  updated_at: Millis;
}

export type CreditTransferKind =
  'add' | 'move' | 'new-code' | 'activate-code' | 'remove-code' | 'data' | 'reserve' | 'release' | 'use' | 'renew' | 'expire';

/** Never changed, never deleted; companies, people and devices that are gone are still named here. */
interface CreditTransfersTable {
  id: Generated<number>;
  kind: CreditTransferKind;
  credit_type_id: number;
  /** null: the server by itself. */
  user_id: number | null;
  user_name: string;
  from_company_id: number | null;
  to_company_id: number | null;
  device_id: number | null;
  device_serial: string | null;
  device_mac: string | null;
  price_cents: number | null;
  pro_form_nr: string | null;
  code_id: number | null;
  idempotency_key: string | null;
  /** Moves between companies are numbered 1, 2, 3 … without a gap. */
  move_nr: number | null;
  created_at: Millis;
}

/** A part of a transfer; its parts sum to zero. Never changed, never deleted. */
interface CreditEntriesTable {
  id: Generated<number>;
  transfer_id: number;
  account_id: number;
  amount: number;
  /** Only on entries of `company` accounts. */
  company_id: number | null;
  /** What the company has of the type after it, whenever it ends; 0 where there is no company. */
  balance_after: number;
  /** Entries of the history of credits are numbered 1, 2, 3 … without a gap; null for data and where there is no company. */
  history_nr: number | null;
}

interface CreditCodesTable {
  id: Generated<number>;
  company_id: number;
  credit_type_id: number;
  amount: number;
  code_hash: string;
  /** The last characters, so that people can distinguish codes. */
  hint: string;
  comment: string;
  created_by: number | null;
  used_by_company_id: number | null;
  used_at: Millis | null;
  created_at: Millis;
}

/** What a device consumes: at most one pack for each service. */
interface DeviceCreditsTable {
  device_id: number;
  service: 'management' | 'data';
  credit_type_id: number;
  /** reserved: begins with the first connection · running · ended. */
  state: 'reserved' | 'running' | 'ended';
  /** Who paid; a reserved credit goes back there. */
  company_id: number;
  credit_expires_at: Millis | null;
  auto_extend: Flag;
  starts_at: Millis | null;
  ends_at: Millis | null;
  updated_at: Millis;
  /** What a data pack still lets through; 0 for other services. */
  bytes_left: Generated<number>;
}

export interface CreditTables {
  credit_accounts: CreditAccountsTable;
  credit_transfers: CreditTransfersTable;
  credit_entries: CreditEntriesTable;
  credit_codes: CreditCodesTable;
  device_credits: DeviceCreditsTable;
}
