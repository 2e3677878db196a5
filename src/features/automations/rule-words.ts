import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { hasText, translate } from '../../kernel/i18n/index.ts';

export interface RuleCondition {
  parameter: string;
  operator: string;
  value?: string;
  joins_with?: '&&' | '||';
  times?: number;
  of?: number;
  /** A text is what was typed and is no number; it is refused at the condition. */
  tolerance?: number | string;
}

export interface RuleOptions {
  severity?: 'info' | 'warning' | 'critical';
  subject?: string;
  message?: string;
  receiving_emails?: string[];
  smtp_config_id?: number;
  mail_language?: 'en' | 'nb' | 'ja' | 'uk';
  receiving_users?: number[];
  task_group_id?: number;
  tag_id?: number;
  url?: string;
  form?: string;
  form_data?: Record<string, JsonValue>;
  title?: string;
}

export interface RuleAction {
  name: string;
  options?: RuleOptions;
}

export interface RuleBranch {
  type: 'if' | 'else';
  expression?: RuleCondition[];
  actions?: RuleAction[];
  conditions?: RuleBranch[];
}

const OPERATOR_KEYS: Readonly<Record<string, string>> = { '==': 'eq', '!=': 'ne', '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' };

/** What a parameter is called. */
export function parameterWord(name: string): string {
  const key = hasText(`automations.parameter.${name}`) ? `automations.parameter.${name}` : `fields.${name}`;
  return hasText(key) ? translate(key) : name;
}

/** What an operator is called within a sentence. */
export function operatorWord(operator: string): string {
  return translate(`values.automation.operator.${OPERATOR_KEYS[operator] ?? operator}`);
}

/** A value as people see it: the word of a status, anything else as it is. */
export function valueWord(parameter: string, value: string): string {
  const key = `automations.value.${parameter}.${value}`;
  return hasText(key) ? translate(key) : value;
}

/** `Signal is less than -100`; `nameOf` gives what a parameter is called. */
export function conditionWords(
  { parameter, operator, value = '', times = 1, of, tolerance }: RuleCondition,
  nameOf: (name: string) => string = parameterWord,
): string {
  const own = `automations.condition.${OPERATOR_KEYS[operator] ?? operator}`;
  const condition = translate(hasText(own) ? own : 'automations.condition', {
    parameter: nameOf(parameter),
    operator: operatorWord(operator),
    value: valueWord(parameter, value),
  }).trim();
  if (tolerance !== undefined) return translate('automations.condition.tolerance', { condition, tolerance });
  return of === undefined ? condition : translate('automations.condition.times', { condition, times, of });
}

/** Conditions as one sentence: `Signal is less than -100 and time is between 22:00-06:00`. */
export function expressionWords(expression: readonly RuleCondition[], nameOf: (name: string) => string = parameterWord): string {
  return expression
    .map((condition, index) => {
      const isLast = index === expression.length - 1;
      const join = translate(condition.joins_with === '||' ? 'automations.or' : 'automations.and');
      return isLast ? conditionWords(condition, nameOf) : `${conditionWords(condition, nameOf)} ${join}`;
    })
    .join(' ');
}

/** What an action is about, where it says so: addresses, a form, an incident. */
function aboutOf({ name, options = {} }: RuleAction): string {
  if (name === 'SendEmail') return (options.receiving_emails ?? []).join(', ');
  if (name === 'Webhook') return options.url ?? '';
  if (name === 'RunForm') return [formWord(options.form ?? ''), ...parameterWords(options.form_data)].join(' · ');
  return options.title ?? '';
}

/** What a field of a form is called; its name where lists have no word for it. */
export function fieldWord(name: string): string {
  return hasText(`fields.${name}`) ? translate(`fields.${name}`) : name;
}

/** The parameters of a device action: `Command: uptime`. */
export function parameterWords(data: Readonly<Record<string, JsonValue>> = {}): string[] {
  return Object.entries(data).map(
    ([name, value]) => `${fieldWord(name)}: ${Array.isArray(value) ? value.map(String).join(', ') : String(value)}`,
  );
}

/** What a form is called; its id while its texts are not loaded, and for one that was added. */
export function formWord(id: string): string {
  const key = ['forms', ...id.split('/'), 'title'].join('.');
  return hasText(key) ? translate(key) : id;
}

/** What an action does, with what it is about. */
export function actionWords(action: RuleAction): string {
  const word = translate(`values.automation.action.${action.name}`);
  const about = aboutOf(action);
  return about === '' ? word : `${word}: ${about}`;
}

/** Parts of a rule have no names: a key for each of what it says, and which of equal ones it is. */
export function keyed<T>(items: readonly T[]): { key: string; item: T }[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const text = JSON.stringify(item);
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return { key: `${text} ${count}`, item };
  });
}
