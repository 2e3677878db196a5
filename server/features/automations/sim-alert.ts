import type { FormData } from '../../../schemas/_generated/contract.ts';
import { SIM_LIMIT_USED } from '../../../schemas/kit/form/rule-parameters.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import type { Language } from '../../kernel/language.ts';
import { addAutomation } from './service.ts';
import type { Action } from './types.ts';

const NAMES: Record<Language, { limit: string; data: string }> = {
  en: { limit: 'SIM over its data limit', data: 'Mobile data of the month' },
  nb: { limit: 'SIM over datagrensen', data: 'Mobildata i måneden' },
  ja: { limit: 'SIMのデータ上限超過', data: '当月のモバイルデータ' },
  uk: { limit: 'SIM понад межу даних', data: 'Мобільні дані за місяць' },
};

const MESSAGE = '%rn: %ex';

/** Adds the automation that raises an alert for each device of a company whose SIM has used so much of its limit, or so much data. Answers its id. Throws NOT_FOUND. */
export function addSimAlert(ctx: Context, caller: Caller, body: FormData['automations/sim-alert'], language: Language): Promise<number> {
  const { company_id, measure, used_percent: percent = 100, data_limit: mib = 1, severity = 'warning', notify = false, email } = body;
  const isLimit = measure === 'limit';
  const name = `${NAMES[language][measure]}: ${isLimit ? `${percent} %` : `${mib} MiB`}`;
  const actions: Action[] = [{ name: 'RaiseAlert', options: { severity } }];
  if (notify) actions.push({ name: 'SendNotification', options: { receiving_users: [caller.actor.userId], message: MESSAGE } });
  if (email) actions.push({ name: 'SendEmail', options: { receiving_emails: [email], subject: name, message: MESSAGE } });
  const parameter = isLimit ? SIM_LIMIT_USED : 'data_month';
  const expression = [{ parameter, operator: '>=', value: String(isLimit ? percent : mib) }];
  return addAutomation(ctx, caller, {
    name,
    ...(company_id === undefined ? {} : { company_id }),
    applies_to: 'company',
    conditions_body: [{ type: 'if', expression, actions }],
    cooldown_duration: 0,
  } as unknown as FormData['automations/new']);
}
