import type { Row, Trx } from '../../db/schema.ts';
import { isKnownByServer } from '../../../schemas/kit/form/rule-parameters.ts';
import { conditionsOf } from './branches.ts';
import { bandOf } from './engine.ts';
import { isColumn } from './parameters.ts';
import type { Band } from '../../domain/devices/usual-band.ts';
import type { Rule } from './types.ts';

const MOST_VERSIONS = 100;

/** An automation as it is evaluated: its rule read, and what it depends on. */
export interface LiveAutomation {
  row: Row<'automations'> & { company_path: string };
  rule: Rule;
  parameters: ReadonlySet<string>;
  tagIds: ReadonlySet<number>;
  /** Parameters that are compared with their usual band. */
  unusual: readonly string[];
  /** Parameters that the server itself knows. */
  serverKnown: readonly string[];
  /** A condition waits for a parameter to go missing: then every device is watched from its first report on. */
  hasMissing: boolean;
}

/** The parameters that the conditions of a rule speak of. */
export function parametersOf(rule: Rule): Set<string> {
  const names = new Set(conditionsOf(rule.branches).map(({ parameter }) => parameter));
  // What weekday it is changes at midnight by the same clock.
  return names.has('weekday') ? names.add('time') : names;
}

/** The parameters of a rule that are compared with their usual band. */
export const unusualOf = (rule: Rule): string[] => [
  ...new Set(conditionsOf(rule.branches).flatMap(({ operator, parameter }) => (operator === 'unusual' ? [parameter] : []))),
];

/** The bands of a rule's parameters among its values, as the engine reads them; temperatures in degrees. */
export function bandValues(names: readonly string[], bandFor: (metric: string) => Band | undefined): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const band = bandFor(name);
      const scale = name === 'temperature' ? 10 : 1;
      return band ? [[bandOf(name), `${(band.low / scale).toFixed(2)}..${(band.high / scale).toFixed(2)}`]] : [];
    }),
  );
}

/** Readings that the record of a device does not hold. */
export const ownReadings = <T>(readings: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...readings].filter(([name]) => !isColumn(name)));

export const ruleOf = (row: Pick<Row<'automations'>, 'rule'>): Rule => JSON.parse(row.rule) as Rule;

export function liveAutomation(row: LiveAutomation['row']): LiveAutomation {
  const rule = ruleOf(row);
  const tagIds = row.applies_to === 'tag' ? (JSON.parse(row.apply_list) as number[]) : [];
  const hasMissing = conditionsOf(rule.branches).some(({ operator }) => operator === 'missing');
  const parameters = parametersOf(rule);
  const serverKnown = [...parameters].filter(isKnownByServer);
  return { row, rule, parameters, tagIds: new Set(tagIds), unusual: unusualOf(rule), serverKnown, hasMissing };
}

/** Keeps the rule of an automation under its version; the oldest beyond a hundred go. */
export async function keepVersion(trx: Trx, row: Row<'automations'>): Promise<void> {
  const { id, version, rule, user_name, updated_at } = row;
  await trx.insertInto('automation_versions').values({ automation_id: id, version, rule, user_name, created_at: updated_at }).execute();
  await trx
    .deleteFrom('automation_versions')
    .where('automation_id', '=', id)
    .where('version', '<=', version - MOST_VERSIONS)
    .execute();
}
