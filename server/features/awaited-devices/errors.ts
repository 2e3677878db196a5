import { defineError } from '../../kernel/errors.ts';

export const NotATable = defineError('NOT_A_TABLE');
export const SheetTooLong = defineError<{ max: number }>('SHEET_TOO_LONG');
