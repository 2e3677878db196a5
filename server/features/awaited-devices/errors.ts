import { defineError } from '../../kernel/errors.ts';

export const SheetTooLong = defineError<{ max: number }>('SHEET_TOO_LONG');
export const HeadingsUnknown = defineError<{ headings: string }>('SHEET_HEADINGS_UNKNOWN');
