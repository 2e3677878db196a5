import { defineError } from '../../kernel/errors.ts';

export const CompanyTooDeep = defineError('COMPANY_TOO_DEEP');
export const CompanyNotEmpty = defineError<{ what: string; companies: number; devices: number; users: number }>('COMPANY_NOT_EMPTY');
