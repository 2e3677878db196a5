/** The kinds of credit in the order of their ids: each kind has two, the free one and the paid one. */
export const CREDIT_KINDS = [
  'credit',
  'management_6m',
  'management_1y',
  'management_3y',
  'management_5y',
  'management_10y',
  'data_150GB_10y',
] as const;

/** What one credit buys of company data (docs/behaviour.md section 9). A gigabyte is 1024³ bytes. */
export const GIGABYTES_PER_CREDIT = 2;
