import type { FormData } from '../../../schemas/_generated/contract.ts';
import { GIGABYTES_PER_CREDIT } from '../../../schemas/kit/resources/credits.ts';
import type { Context } from '../../context.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { SamePlace } from './errors.ts';
import { inLedger, type LedgerCaller } from './ledger-work.ts';
import { CREDIT_BYTES, DATA_BYTES_TYPE_ID, DATA_PRICE_TYPE_ID, getCreditType } from './types.ts';

/** Makes new credits in a company; with `expire_at` (a day) they can be used up to the end of that day. Throws NOT_FOUND at `company_id`, CREDITS_TOO_MANY. */
export async function addCredits(ctx: Context, caller: LedgerCaller, input: FormData['credits/add']): Promise<void> {
  const type = getCreditType(input.credit_type_id);
  await inLedger(ctx, caller, async ({ trx, at, transfer, audit }) => {
    const company = await requireCompany(trx, caller.actor, input.company_id, 'company_id');
    await transfer({
      kind: 'add',
      typeId: type.id,
      from: { kind: 'issued' },
      to: { kind: 'company', companyId: company.id },
      amount: [{ amount: input.credit_count, expiresAt: endOfDay(input.expire_at, at) }],
      field: 'credit_count',
      note: {
        price_cents: input.credit_price === undefined ? null : Math.round(input.credit_price * 100),
        pro_form_nr: input.pro_form_nr ?? null,
      },
    });
    await audit({ action: 'credits.add', company, after: { type: type.name, amount: input.credit_count } });
  });
}

function endOfDay(day: string | undefined, now: number): number | null {
  if (day === undefined) return null;
  const end = Date.parse(`${day}T23:59:59.999Z`);
  if (end <= now)
    throw new InvalidFields([{ source: 'expire_at', message: 'Choose a date in the future.', params: { key: 'validation.future' } }]);
  return end;
}

/** Moves credits between two companies that the actor sees. Throws NOT_FOUND at `source` or `target`, SAME_PLACE, CREDITS_SHORT at `amount`. */
export async function moveCredits(ctx: Context, caller: LedgerCaller, input: FormData['credits/move']): Promise<void> {
  const type = getCreditType(input.credit_type_name);
  await inLedger(ctx, caller, async ({ trx, transfer, audit }) => {
    const source = await requireCompany(trx, caller.actor, input.source, 'source');
    const target = await requireCompany(trx, caller.actor, input.target, 'target');
    if (source.id === target.id) throw new SamePlace({}, { source: 'target' });
    await transfer({
      kind: 'move',
      typeId: type.id,
      from: { kind: 'company', companyId: source.id },
      to: { kind: 'company', companyId: target.id },
      amount: input.amount,
      field: 'amount',
    });
    await audit({ action: 'credits.move', company: source, after: { type: type.name, amount: input.amount, target: target.name } });
  });
}

/** Spends credits of a company for data, 2 GB each. Throws NOT_FOUND at `company_id`, CREDITS_SHORT or CREDITS_TOO_MANY at `credits`. */
export async function buyData(ctx: Context, caller: LedgerCaller, input: FormData['companies/data']): Promise<void> {
  const amount = Number(input.credits);
  if (amount < 1)
    throw new InvalidFields([{ source: 'credits', message: 'Enter 1 or more.', params: { key: 'validation.minimum', limit: 1 } }]);
  await inLedger(ctx, caller, async ({ trx, transfer, audit }) => {
    const company = await requireCompany(trx, caller.actor, input.company_id, 'company_id');
    const place = { kind: 'company', companyId: company.id } as const;
    const common = { kind: 'data', field: 'credits' } as const;
    await transfer({ ...common, typeId: DATA_PRICE_TYPE_ID, from: place, to: { kind: 'spent' }, amount });
    await transfer({ ...common, typeId: DATA_BYTES_TYPE_ID, from: { kind: 'issued' }, to: place, amount: amount * CREDIT_BYTES });
    await audit({ action: 'companies.data', company, after: { credits: amount, gigabytes: amount * GIGABYTES_PER_CREDIT } });
  });
}
