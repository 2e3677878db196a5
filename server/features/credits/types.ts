const KINDS = ['credit', 'management_6m', 'management_1y', 'management_3y', 'management_5y', 'management_10y', 'data_150GB_10y'] as const;
const TITLES: Record<(typeof KINDS)[number], string> = {
  credit: 'Credit',
  management_6m: 'Management pack, 6 months',
  management_1y: 'Management pack, 1 year',
  management_3y: 'Management pack, 3 years',
  management_5y: 'Management pack, 5 years',
  management_10y: 'Management pack, 10 years',
  data_150GB_10y: 'Data, 150 GB for 10 years',
};

export interface CreditType {
  id: number;
  /** What it is called on the wire: the kind, with `_free` behind it for the free one. */
  name: string;
  title: string;
  payment_type: 'paid' | 'free';
  license_type: string;
}

/** Every type of credit: each kind once free (odd id) and once paid (even id). */
export const creditTypes: readonly CreditType[] = KINDS.flatMap((kind, index): CreditType[] => [
  { id: index * 2 + 1, name: `${kind}_free`, title: `${TITLES[kind]} (free)`, payment_type: 'free', license_type: kind },
  { id: index * 2 + 2, name: kind, title: TITLES[kind], payment_type: 'paid', license_type: kind },
]);

/** The type with this id or wire name. Throws Error for one that no form lets through. */
export function getCreditType(key: number | string): CreditType {
  const type = creditTypes.find((entry) => entry.id === key || entry.name === key);
  if (!type) throw new Error(`no credit type ${key}`);
  return type;
}
