import type { Automation } from '../../../schemas/_generated/contract.ts';

const SHARED = [
  'name',
  'description',
  'delay_duration',
  'delay_repetitions_count',
  'cooldown_duration',
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

/** The values that an exported file gives the form of a new automation, turned off; undefined for any other text. What is wrong in it shows at its field. */
export function importedFrom(text: string): Record<string, unknown> | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || !Array.isArray(Reflect.get(read, 'conditions_body'))) return undefined;
    return { ...exportOf(read as Partial<Automation>), enabled: false };
  } catch {
    return undefined;
  }
}
