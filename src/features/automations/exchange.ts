import { jsonFault } from '../../../schemas/kit/form/entry-faults.ts';
import type { Explanation } from '../../../schemas/kit/form/explain-format.ts';
import type { Automation } from '../../../schemas/_generated/contract.ts';

const SHARED = [
  'name',
  'description',
  'delay_duration',
  'delay_repetitions_count',
  'cooldown_duration',
  'recovery_duration',
  'period',
  'period_trigger_limit',
  'conditions_body',
] as const;

/** What is taken along of an automation: its rule and settings, nothing of its company, devices or people. */
export function exportOf(automation: Partial<Automation>): Record<string, unknown> {
  const values = SHARED.map((name) => [name, automation[name]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null && value !== undefined));
}

const MOST_CHARACTERS = 500_000;

/** What is wrong with a file that is no exported automation: the key and the values of its text. */
export type ImportFault = Explanation;

/**
 * The values that an exported file gives the form of a new automation, turned off, or what is wrong with the text and where. What is wrong
 * with single values shows at their fields.
 */
export function importedFrom(text: string): { values: Record<string, unknown> } | { fault: ImportFault } {
  if (text.length > MOST_CHARACTERS) return { fault: { key: 'automations.import.too_long', params: {} } };
  const fault = jsonFault(text);
  if (fault) return { fault };
  const read: unknown = text.trim() === '' ? undefined : JSON.parse(text);
  if (typeof read !== 'object' || read === null || !Array.isArray(Reflect.get(read, 'conditions_body')))
    return { fault: { key: 'automations.import.no_rule', params: {} } };
  return { values: { ...exportOf(read as Partial<Automation>), enabled: false } };
}
