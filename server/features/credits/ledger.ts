import { sql } from 'kysely';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import { addNotices, type NewNotice } from '../../kernel/notices/add-notices.ts';
import { CreditsShort } from './errors.ts';
import { getCreditType } from './types.ts';

/** People are told when a company has fewer left of a type. */
const FEW_LEFT = 10;

type Account = Row<'credit_accounts'>;
export type Place = { kind: 'company' | 'codes'; companyId: number } | { kind: 'issued' | 'spent' };

/** What moves, between which accounts, and why. `source` of the fault: the field that a lack of credits is told at. */
export interface Transfer {
  from: Place;
  to: Place;
  typeId: number;
  amount: number;
  at: number;
  field: string;
  note: Omit<NewRow<'credit_transfers'>, 'credit_type_id' | 'created_at'>;
}

async function openAccount(trx: Trx, place: Place, typeId: number, at: number): Promise<Account> {
  const companyId = 'companyId' in place ? place.companyId : null;
  await trx
    .insertInto('credit_accounts')
    .values({ kind: place.kind, company_id: companyId, credit_type_id: typeId, balance: 0, updated_at: at })
    .onConflict((conflict) => conflict.expression(sql`kind, coalesce(company_id, 0), credit_type_id`).doNothing())
    .execute();
  return trx
    .selectFrom('credit_accounts')
    .selectAll()
    .where('kind', '=', place.kind)
    .where(sql`coalesce(company_id, 0)`, '=', companyId ?? 0)
    .where('credit_type_id', '=', typeId)
    .executeTakeFirstOrThrow();
}

/** Changes a balance in one step, so that many at once cannot spend the same credit. */
async function changeBalance(trx: Trx, account: Account, change: number, at: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('credit_accounts')
    .set((eb) => ({ balance: eb('balance', '+', change), updated_at: at }))
    .where('id', '=', account.id)
    .where((eb) => eb.or([eb('kind', '=', 'issued'), eb('balance', '>=', -change)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function fewLeft(companyId: number, typeId: number, left: number): NewNotice {
  return { kind: 'creditAmountTooLow', companyId, subjectId: typeId, subjectName: getCreditType(typeId).title, details: { left } };
}

/** Moves credits from one account to another, in two entries that sum to zero. Throws CREDITS_SHORT at the transfer's `field`. */
export async function transferCredits(trx: Trx, { from, to, typeId, amount, at, field, note }: Transfer): Promise<void> {
  const source = await openAccount(trx, from, typeId, at);
  const target = await openAccount(trx, to, typeId, at);
  if (!(await changeBalance(trx, source, -amount, at))) throw new CreditsShort({ left: source.balance }, { source: field });
  await changeBalance(trx, target, amount, at);
  if (from.kind === 'company' && source.balance >= FEW_LEFT && source.balance - amount < FEW_LEFT)
    await addNotices(trx, at, [fewLeft(from.companyId, typeId, source.balance - amount)]);
  const { id } = await trx
    .insertInto('credit_transfers')
    .values({ ...note, credit_type_id: typeId, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('credit_entries')
    .values([
      { transfer_id: id, account_id: source.id, amount: -amount },
      { transfer_id: id, account_id: target.id, amount },
    ])
    .execute();
}
