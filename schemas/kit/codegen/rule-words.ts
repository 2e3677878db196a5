import { RULE_PARAMETERS } from '../form/rule-parameters.ts';
import { readShippedTexts } from './load-texts.ts';

const LANGUAGES = ['en', 'nb', 'ja', 'uk'] as const;
const PREFIXES = ['automations.parameter.', 'automations.value.', 'values.automation.operator.'];
const SINGLE = new Set([
  'automations.condition',
  'automations.condition.eq',
  'automations.condition.is',
  'automations.condition.missing',
  'automations.and',
  'automations.was',
  'automations.flapped',
  ...RULE_PARAMETERS.map(({ name }) => `fields.${name}`),
]);

/** The console's words for the conditions of rules, for alerts, mails and notifications that the server writes: by language, then by key. */
export function printRuleWords(): string {
  const wanted = (key: string): boolean => SINGLE.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix));
  const words = LANGUAGES.map((language) => {
    const texts = [...(readShippedTexts(language) ?? [])].filter(([key]) => wanted(key));
    return [language, Object.fromEntries(texts.toSorted(([a], [b]) => (a < b ? -1 : 1)))];
  });
  return `${JSON.stringify(Object.fromEntries(words), null, 2)}\n`;
}
