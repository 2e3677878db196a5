import { defineError } from '../../kernel/errors.ts';

export const CompanyTooDeep = defineError('COMPANY_TOO_DEEP');
export const CompanyThereAlready = defineError('COMPANY_THERE_ALREADY');
export const CompanyUnderItself = defineError('COMPANY_UNDER_ITSELF');
export const CompanyElsewhere = defineError('COMPANY_ELSEWHERE');
export const CompanyHasMore = defineError('COMPANY_HAS_MORE');
export const CompanyHasAdministrator = defineError('COMPANY_HAS_ADMINISTRATOR');
export const CompanyWithoutParent = defineError('COMPANY_WITHOUT_PARENT');
