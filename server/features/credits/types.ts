import { type CREDIT_KINDS, GIGABYTES_PER_CREDIT } from '../../../schemas/kit/resources/credits.ts';
import { can, type Actor } from '../../kernel/actor.ts';

export { DATA_BYTES_TYPE_ID } from '../../domain/data-left.ts';

type Period = { days: number } | { months: number };

/** The kinds of credit in the order of their ids: what they are called, and how long one keeps a device going. */
const KINDS: readonly { name: (typeof CREDIT_KINDS)[number]; title: string; period: Period }[] = [
  { name: 'credit', title: 'Credit', period: { days: 30 } },
  { name: 'management_6m', title: 'Management pack 6m.', period: { months: 6 } },
  { name: 'management_1y', title: 'Management pack 1y.', period: { months: 12 } },
  { name: 'management_3y', title: 'Management pack 3y.', period: { months: 36 } },
  { name: 'management_5y', title: 'Management pack 5y.', period: { months: 60 } },
  { name: 'management_10y', title: 'Management pack 10y.', period: { months: 120 } },
  { name: 'data_150GB_10y', title: 'Connection data pack 150GB 10y.', period: { months: 120 } },
];

export interface CreditType {
  id: number;
  /** What a call names it by: the kind, with `_free` behind it for the free one. */
  name: string;
  kind: string;
  title: string;
  payment_type: 'paid' | 'free';
  period: Period;
  /** What of a device it keeps going. */
  service: 'management' | 'data';
}

/** Every type of credit: each kind once free (odd id) and once paid (even id). */
export const creditTypes: readonly CreditType[] = KINDS.flatMap(({ name, title, period }, index): CreditType[] => {
  const common = { kind: name, period, service: name.startsWith('data') ? ('data' as const) : ('management' as const) };
  return [
    { ...common, id: index * 2 + 1, name: `${name}_free`, title: `Free ${title}`, payment_type: 'free' },
    { ...common, id: index * 2 + 2, name, title: `Paid ${title}`, payment_type: 'paid' },
  ];
});

/** What one connection data pack lets through. */
export const PACK_BYTES = 150 * 1024 ** 3;
/** The type that is spent for data: paid plain credits. */
export const DATA_PRICE_TYPE_ID = 2;
export const CREDIT_BYTES = GIGABYTES_PER_CREDIT * 1024 ** 3;

/** The type with this id or wire name. Throws Error for one that no form lets through. */
export function getCreditType(key: number | string): CreditType {
  const type = creditTypes.find((entry) => entry.id === key || entry.name === key);
  if (!type) throw new Error(`no credit type ${key}`);
  return type;
}

/** The title that says nothing of payment, for all but system administrators. */
export function titleWithoutPayment({ title }: CreditType): string {
  return title.replace(/^Paid /, '');
}

/** Whether a type is paid for, as this actor reads it: only system administrators deal with free ones beside paid ones, so only they read "paid". */
export function paymentOf({ payment_type: payment }: Pick<CreditType, 'payment_type'>, actor: Actor): 'paid' | 'free' | null {
  return payment === 'free' || can(actor, 'super_admin') ? payment : null;
}

/** A type as this actor sees it. */
export function presentCreditType(type: CreditType, actor: Actor) {
  const payment = paymentOf(type, actor);
  return {
    id: type.id,
    name: type.name,
    title: payment === null ? titleWithoutPayment(type) : type.title,
    text_key: `credit_types.${payment === null ? '' : `${payment}_`}${type.kind}`,
    payment_type: payment,
    license_type: type.kind,
  };
}

/** When a period of this type that starts then is over. Months end on the last day where the month is shorter. */
export function periodEnd(type: CreditType, start: number): number {
  const end = new Date(start);
  if ('days' in type.period) {
    end.setUTCDate(end.getUTCDate() + type.period.days);
    return end.getTime();
  }
  const day = end.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + type.period.months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, lastDay));
  return end.getTime();
}
