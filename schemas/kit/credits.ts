/** What one credit buys of company data (docs/behaviour.md section 9). A gigabyte is 1024³ bytes. */
export const GIGABYTES_PER_CREDIT = 2;
