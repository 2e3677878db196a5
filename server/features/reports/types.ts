import type { FormData } from '../../../schemas/_generated/contract.ts';

export const REPORT_KIND = 'report';

/** What a report may contain about its devices. */
export type Parameter = FormData['reports/edit']['parameters'][number];
