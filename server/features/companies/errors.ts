import { defineError } from '../../kernel/errors.ts';

export const CompanyTooDeep = defineError('COMPANY_TOO_DEEP');
export const CompanyThereAlready = defineError('COMPANY_THERE_ALREADY');
export const CompanyUnderItself = defineError('COMPANY_UNDER_ITSELF');
export const CompanyElsewhere = defineError('COMPANY_ELSEWHERE');
export const CompanyNotEmpty = defineError<{ what: string; companies: number; devices: number; users: number; credits: number }>(
  'COMPANY_NOT_EMPTY',
);
