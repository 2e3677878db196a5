import words from '../../_generated/rule-words.json' with { type: 'json' };

type Language = 'en' | 'nb' | 'ja' | 'uk';

/** A condition of a rule that held, with the value that it saw. */
export interface SeenCondition {
  parameter: string;
  operator: string;
  expected: string;
  actual: string | number | null;
  /** What a parameter is called that a monitoring template collects. */
  label?: string;
}

const OPERATOR_KEYS: Readonly<Record<string, string>> = { '==': 'eq', '!=': 'ne', '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' };

/** The name of an operator in the keys of texts: `eq` of `==`. */
export const operatorKey = (operator: string): string => OPERATOR_KEYS[operator] ?? operator;

function fill(text: string, parts: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole).trim();
}

/** The conditions that held, in words: `Signal is less than -100 (was -104) and Status is offline`; a value is said where the words do not say it already. */
export function conditionSentence(conditions: readonly SeenCondition[], language: Language): string {
  const texts: Readonly<Record<string, string>> = words[language];
  const text = (key: string): string => texts[key] ?? '';
  const sentences = conditions.map(({ parameter, operator, expected, actual, label }) => {
    const value = (raw: string): string => texts[`automations.value.${parameter}.${raw}`] ?? raw;
    const name = label ?? texts[`automations.parameter.${parameter}`] ?? texts[`fields.${parameter}`] ?? parameter;
    const parts = { parameter: name, operator: text(`values.automation.operator.${operatorKey(operator)}`), value: value(expected) };
    const sentence = fill(texts[`automations.condition.${operatorKey(operator)}`] ?? text('automations.condition'), parts);
    if (actual === null || ((operator === '==' || operator === 'is') && String(actual) === expected)) return sentence;
    return `${sentence} ${fill(text('automations.was'), { value: value(String(actual)) })}`;
  });
  return sentences.join(` ${text('automations.and')} `);
}

/** A message with `%ex` as the conditions that held, which are kept as JSON. */
export function withConditions(message: string, conditions: string | null, language: Language): string {
  if (conditions === null) return message;
  // Only the server writes them.
  const seen = JSON.parse(conditions) as SeenCondition[];
  return message.replaceAll('%ex', () => conditionSentence(seen, language));
}

/** `It flapped 7 times.` of an alert whose condition began so often; empty for one that does not flap. */
export function flappingSentence(count: number, language: Language): string {
  const texts: Readonly<Record<string, string>> = words[language];
  return count === 0 ? '' : fill(texts['automations.flapped'] ?? '', { count: String(count) });
}
