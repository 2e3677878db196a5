import { randomInt } from 'node:crypto';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { can, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { hashToken } from '../../kernel/auth/tokens.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, UnknownField } from '../../kernel/errors.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { CreditCodeRefused, SamePlace } from './errors.ts';
import { transferCredits } from './ledger.ts';
import { getCreditType } from './types.ts';

const CODE_LENGTH = 32;
const CODE_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The type that is spent for data: paid plain credits. */
const DATA_TYPE_ID = 2;

type Company = Row<'companies'>;

function audit(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  { action, company, after }: { action: string; company: Company; after: Record<string, string | number> },
) {
  return writeAudit(trx, { actor, origin, at }, [
    { action, entity: 'credit', entityId: null, entityName: company.name, companyId: company.id, before: null, after },
  ]);
}

/** Makes new credits in a company. Throws NOT_FOUND at `company_id`. */
export async function addCredits(ctx: Context, caller: Caller, input: FormData['credits/add']): Promise<void> {
  const at = ctx.clock.now();
  const type = getCreditType(input.credit_type_id);
  await inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, caller.actor, input.company_id, 'company_id');
    const price_cents = input.credit_price === undefined ? null : Math.round(input.credit_price * 100);
    await transferCredits(trx, {
      from: { kind: 'issued' },
      to: { kind: 'company', companyId: company.id },
      typeId: type.id,
      amount: input.credit_count,
      at,
      field: 'credit_count',
      note: { kind: 'add', user_id: caller.actor.userId, price_cents, pro_form_nr: input.pro_form_nr ?? null, code_id: null },
    });
    await audit(trx, caller, at, { action: 'credits.add', company, after: { type: type.name, amount: input.credit_count } });
  });
}

/** Moves credits between two companies that the actor sees. Throws NOT_FOUND at `source` or `target`, SAME_PLACE, CREDITS_SHORT at `amount`. */
export async function moveCredits(ctx: Context, caller: Caller, input: FormData['credits/move']): Promise<void> {
  const at = ctx.clock.now();
  const type = getCreditType(input.credit_type_name);
  await inTransaction(ctx.db, async (trx) => {
    const source = await requireCompany(trx, caller.actor, input.source, 'source');
    const target = await requireCompany(trx, caller.actor, input.target, 'target');
    if (source.id === target.id) throw new SamePlace({}, { source: 'target' });
    await transferCredits(trx, {
      from: { kind: 'company', companyId: source.id },
      to: { kind: 'company', companyId: target.id },
      typeId: type.id,
      amount: input.amount,
      at,
      field: 'amount',
      note: { kind: 'move', user_id: caller.actor.userId, price_cents: null, pro_form_nr: null, code_id: null },
    });
    await audit(trx, caller, at, {
      action: 'credits.move',
      company: source,
      after: { type: type.name, amount: input.amount, target: target.name },
    });
  });
}

function makeCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_SIGNS[randomInt(CODE_SIGNS.length)]).join('');
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

/** Puts credits of a company into a code that somebody else can use once; the code is told this once. Throws NOT_FOUND at `company_id`, CREDITS_SHORT at `amount`. */
export async function createCode(ctx: Context, caller: Caller, input: FormData['credits/new-code']): Promise<string> {
  const at = ctx.clock.now();
  const type = getCreditType(input.credit_type_name);
  const code = makeCode();
  await inTransaction(ctx.db, async (trx) => {
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
    await transferCredits(trx, {
      from: { kind: 'company', companyId: company.id },
      to: { kind: 'codes', companyId: company.id },
      typeId: type.id,
      amount: input.amount,
      at,
      field: 'amount',
      note: { kind: 'new-code', user_id: caller.actor.userId, price_cents: null, pro_form_nr: null, code_id: row.id },
    });
    await audit(trx, caller, at, { action: 'credits.new-code', company, after: { type: type.name, amount: input.amount } });
  });
  return code;
}

/** Takes the credits of a code into the actor's company. Throws CREDIT_CODE_REFUSED at `code`, the same for an unknown and a used one. */
export async function activateCode(ctx: Context, caller: Caller, code: string): Promise<{ credit_type_name: string; amount: number }> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, caller.actor, caller.actor.companyId);
    const row = await trx
      .updateTable('credit_codes')
      .set({ used_at: at, used_by_company_id: company.id })
      .where('code_hash', '=', hashToken(code.trim().toUpperCase()))
      .where('used_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new CreditCodeRefused({}, { source: 'code' });
    const type = getCreditType(row.credit_type_id);
    await transferCredits(trx, {
      from: { kind: 'codes', companyId: row.company_id },
      to: { kind: 'company', companyId: company.id },
      typeId: type.id,
      amount: row.amount,
      at,
      field: 'code',
      note: { kind: 'activate-code', user_id: caller.actor.userId, price_cents: null, pro_form_nr: null, code_id: row.id },
    });
    await audit(trx, caller, at, { action: 'credits.activate-code', company, after: { type: type.name, amount: row.amount } });
    return { credit_type_name: type.name, amount: row.amount };
  });
}

/** Spends credits of a company for data, 2 GB each. Throws NOT_FOUND at `company_id`, CREDITS_SHORT at `credits`. */
export async function buyData(ctx: Context, caller: Caller, input: FormData['companies/data']): Promise<void> {
  const at = ctx.clock.now();
  const amount = Number(input.credits);
  if (amount < 1)
    throw new InvalidFields([{ source: 'credits', message: 'Enter 1 or more.', params: { key: 'validation.minimum', limit: 1 } }]);
  await inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, caller.actor, input.company_id, 'company_id');
    await transferCredits(trx, {
      from: { kind: 'company', companyId: company.id },
      to: { kind: 'spent' },
      typeId: DATA_TYPE_ID,
      amount,
      at,
      field: 'credits',
      note: { kind: 'data', user_id: caller.actor.userId, price_cents: null, pro_form_nr: null, code_id: null },
    });
    await audit(trx, caller, at, { action: 'companies.data', company, after: { credits: amount, gigabytes: amount * 2 } });
  });
}
