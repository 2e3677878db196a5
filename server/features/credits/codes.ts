import { randomInt } from 'node:crypto';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { can, type Caller } from '../../kernel/actor.ts';
import { deriveToken, hashToken } from '../../kernel/auth/tokens.ts';
import { InvalidFields, NotFound, UnknownField } from '../../kernel/errors.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { CreditCodeRefused, CreditCodeUsed } from './errors.ts';
import type { Portion } from './ledger.ts';
import { answerInLedger, inLedger, type LedgerCaller } from './ledger-work.ts';
import { getCreditType } from './types.ts';

type Code = Row<'credit_codes'>;

const CODE_LENGTH = 32;
const CODE_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function makeCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_SIGNS[randomInt(CODE_SIGNS.length)]).join('');
}

/** The code of a call that may be sent again: the same one each time, and nobody else can compute it. */
function codeOfCall({ secretKey }: Pick<Context, 'secretKey'>, userId: number, key: string): string {
  const bytes = Buffer.from(deriveToken(secretKey, 'credit code', `${userId} ${key}`), 'base64url');
  return [...bytes].map((byte) => CODE_SIGNS[byte % CODE_SIGNS.length]).join('');
}

function companyOfCode(caller: Caller, companyId: number | undefined): number {
  const isSystem = can(caller.actor, 'super_admin');
  // Only system administrators choose whose credits go into the code.
  if (!isSystem && companyId !== undefined && companyId !== caller.actor.companyId)
    throw new UnknownField({ field: 'company_id' }, { source: 'company_id' });
  if (isSystem && companyId === undefined)
    throw new InvalidFields([{ source: 'company_id', message: 'Fill in this field.', params: { key: 'validation.required' } }]);
  return companyId ?? caller.actor.companyId;
}

function historyOf({ code_hash: _hash, ...code }: Code) {
  return code;
}

/** Puts credits of a company into a code that somebody else can use once; the code is shown only this once. Throws NOT_FOUND at `company_id`, CREDITS_SHORT at `amount`. */
export async function createCode(ctx: Context, caller: LedgerCaller, input: FormData['credits/new-code']): Promise<string> {
  const type = getCreditType(input.credit_type_name);
  const code = caller.once ? codeOfCall(ctx, caller.actor.userId, caller.once.key) : makeCode();
  await inLedger(ctx, caller, async ({ trx, at, transfer, audit }) => {
    const company = await requireCompany(trx, caller.actor, companyOfCode(caller, input.company_id), 'company_id');
    const row = await trx
      .insertInto('credit_codes')
      .values({
        company_id: company.id,
        credit_type_id: type.id,
        amount: input.amount,
        code_hash: hashToken(code),
        hint: code.slice(-4),
        comment: input.comment ?? '',
        created_by: caller.actor.userId,
        used_by_company_id: null,
        used_at: null,
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await transfer({
      kind: 'new-code',
      typeId: type.id,
      from: { kind: 'company', companyId: company.id },
      to: { kind: 'codes', companyId: company.id },
      amount: input.amount,
      field: 'amount',
      note: { code_id: row.id },
    });
    await audit({ action: 'credits.new-code', company, after: { type: type.name, amount: input.amount } });
  });
  return code;
}

/** The credits that were put into a code, as they were: what ends at some time goes on ending then. */
async function portionsOf(trx: Trx, codeId: number): Promise<Portion[]> {
  const rows = await trx
    .selectFrom('credit_transfers')
    .innerJoin('credit_entries', 'credit_entries.transfer_id', 'credit_transfers.id')
    .innerJoin('credit_accounts', 'credit_accounts.id', 'credit_entries.account_id')
    .select(['credit_entries.amount', 'credit_accounts.expires_at'])
    .where('credit_transfers.code_id', '=', codeId)
    .where('credit_transfers.kind', '=', 'new-code')
    .where('credit_entries.amount', '>', 0)
    .execute();
  return rows.map((row) => ({ amount: row.amount, expiresAt: row.expires_at }));
}

async function activatedBefore({ code_id, credit_type_id }: Row<'credit_transfers'>, trx: Trx) {
  const code = await trx.selectFrom('credit_codes').select('amount').where('id', '=', code_id).executeTakeFirstOrThrow();
  return { credit_type_name: getCreditType(credit_type_id).name, amount: code.amount };
}

/** Takes the credits of a code into the actor's company. Throws CREDIT_CODE_REFUSED at `code`, the same for an unknown, a used and an expired one. */
export async function activateCode(
  ctx: Context,
  caller: LedgerCaller,
  code: string,
): Promise<{ credit_type_name: string; amount: number }> {
  return answerInLedger(
    ctx,
    caller,
    async ({ trx, at, transfer, audit }) => {
      const company = await requireCompany(trx, caller.actor, caller.actor.companyId);
      const row = await trx
        .updateTable('credit_codes')
        .set({ used_at: at, used_by_company_id: company.id })
        .where('code_hash', '=', hashToken(code.trim().toUpperCase()))
        .where('used_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      const portions = row ? await portionsOf(trx, row.id) : [];
      const hasEnded = portions.some(({ expiresAt }) => expiresAt !== null && expiresAt <= at);
      if (!row || hasEnded) throw new CreditCodeRefused({}, { source: 'code' });
      const type = getCreditType(row.credit_type_id);
      await transfer({
        kind: 'activate-code',
        typeId: type.id,
        from: { kind: 'codes', companyId: row.company_id },
        to: { kind: 'company', companyId: company.id },
        amount: portions,
        field: 'code',
        note: { code_id: row.id },
      });
      await audit({ action: 'credits.activate-code', company, after: { type: type.name, amount: row.amount } });
      return { credit_type_name: type.name, amount: row.amount };
    },
    activatedBefore,
  );
}

async function requireCode(trx: Trx, caller: Caller, id: number): Promise<Code & { company_name: string }> {
  const code = await trx
    .selectFrom('credit_codes')
    .innerJoin('companies', 'companies.id', 'credit_codes.company_id')
    .selectAll('credit_codes')
    .select('companies.name as company_name')
    .where('credit_codes.id', '=', id)
    .where(isVisible(caller.actor, 'credit_codes'))
    .executeTakeFirst();
  if (!code) throw new NotFound({});
  return code;
}

/** Changes the comment of a code. Throws NOT_FOUND. */
export async function editCode(ctx: Context, caller: Caller, id: number, comment: string | undefined): Promise<void> {
  await inLedger(ctx, caller, async ({ trx, audit }) => {
    const { company_name, ...code } = await requireCode(trx, caller, id);
    if (comment === undefined) return;
    await trx.updateTable('credit_codes').set({ comment }).where('id', '=', id).execute();
    const company = { id: code.company_id, name: company_name };
    await audit({ action: 'credits.edit-code', company, before: historyOf(code), after: { ...historyOf(code), comment } });
  });
}

/** Removes a code that nobody used; its credits go back to the company. Throws NOT_FOUND, CREDIT_CODE_USED. */
export async function removeCode(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inLedger(ctx, caller, async ({ trx, transfer, audit }) => {
    const { company_name, ...code } = await requireCode(trx, caller, id);
    if (code.used_at !== null) throw new CreditCodeUsed({});
    await transfer({
      kind: 'remove-code',
      typeId: code.credit_type_id,
      from: { kind: 'codes', companyId: code.company_id },
      to: { kind: 'company', companyId: code.company_id },
      amount: await portionsOf(trx, id),
      note: { code_id: id },
    });
    await trx.deleteFrom('credit_codes').where('id', '=', id).execute();
    await audit({
      action: 'credits.remove-code',
      company: { id: code.company_id, name: company_name },
      before: historyOf(code),
      after: null,
    });
  });
}
