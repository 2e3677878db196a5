import type { Translate } from '../../kernel/i18n/index.ts';

export const EMPTY_SET_UP = { token: '', company_name: '', first_name: '', last_name: '', email: '', password: '' };
export type SetUpData = typeof EMPTY_SET_UP;
type SetUpProblems = Partial<Record<keyof SetUpData, string>>;

// The same limits as in schemas/forms/set-up/first-administrator.form.json, which the server enforces.
const MIN_COMPANY = 3;
const MIN_PASSWORD = 10;

/** What is wrong with the first-run form, by field in the order of the page; empty when it can be sent. */
export function checkSetUp(data: SetUpData, t: Translate): SetUpProblems {
  const problems: SetUpProblems = {};
  if (data.token.trim() === '') problems.token = t('setUp.problem.token');
  if (data.company_name.trim().length < MIN_COMPANY) problems.company_name = t('setUp.problem.company', { min: MIN_COMPANY });
  if (data.first_name.trim() === '') problems.first_name = t('setUp.problem.firstName');
  if (data.last_name.trim() === '') problems.last_name = t('setUp.problem.lastName');
  // name@host
  if (!/^[^\s@]+@[^\s@]+$/.test(data.email.trim())) problems.email = t('setUp.problem.email');
  if (data.password.length < MIN_PASSWORD) problems.password = t('setUp.problem.password', { min: MIN_PASSWORD });
  return problems;
}
