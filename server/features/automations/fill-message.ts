import type { Db, Row } from '../../db/schema.ts';
import type { SeenCondition } from '../../../schemas/kit/resources/rule-sentence.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Evaluated } from './types.ts';

interface About {
  automation: Pick<Row<'automations'>, 'name'>;
  device: Pick<Row<'devices'>, 'name' | 'serial' | 'mac' | 'model' | 'firmware'> & { company_name: string };
  log: Pick<Row<'automation_logs'>, 'evaluated' | 'at'>;
}

/** The conditions that held, with the values of that moment; `labels` name what monitoring templates collect. */
export function seenConditions(evaluated: string, labels: ReadonlyMap<string, string> = new Map()): SeenCondition[] {
  return (JSON.parse(evaluated) as Evaluated[])
    .filter(({ value }) => value === true)
    .map(({ parameter, operator, expected, actual }) => {
      const label = labels.get(parameter);
      return { parameter, operator, expected, actual, ...(label === undefined ? {} : { label }) };
    });
}

/** What the monitoring templates collect that conditions speak of, as the actor sees it called: `Vitals: load` by metric. */
export async function collectedLabels(
  db: Db,
  actor: Actor,
  logs: readonly Pick<Row<'automation_logs'>, 'evaluated'>[],
): Promise<Map<string, string>> {
  const names = logs.flatMap(({ evaluated }) => seenConditions(evaluated)).map(({ parameter }) => parameter);
  const metrics = [...new Set(names)].filter((name) => /^mt\d/.test(name));
  if (metrics.length === 0) return new Map();
  const rows = await db
    .selectFrom('monitoring_variables')
    .innerJoin('monitoring_templates', 'monitoring_templates.id', 'monitoring_variables.template_id')
    .select(['metric', 'variable', 'monitoring_templates.name'])
    .where('metric', 'in', metrics)
    .where(isVisible(actor, 'monitoring_templates'))
    .execute();
  return new Map(rows.map(({ metric, variable, name }) => [metric, `${name}: ${variable}`]));
}

/**
 * A message with its placeholders filled: `%rn` the device's name, `%et` the automation's, `%ts` when, UTC; `%ex`, what held, stays
 * for the language of each reader (`withConditions`); and `{{device.name}}` with serial, mac, model, firmware or company, and `{{value.signal}}` for what the conditions saw.
 */
export function fillMessage(text: string, { automation, device, log }: About): string {
  const evaluated = JSON.parse(log.evaluated) as Evaluated[];
  const short: Record<string, string> = { rn: device.name, et: automation.name, ts: wireTime(log.at) };
  const { name, serial, mac, model, firmware } = device;
  const fields: Record<string, string> = { name, serial, mac, model, firmware, company: device.company_name };
  return text
    .replace(/%(rn|et|ts)/g, (whole, key: string) => short[key] ?? whole)
    .replace(/\{\{\s*device\.([a-z]{1,16})\s*\}\}/g, (whole, key: string) => (Object.hasOwn(fields, key) ? (fields[key] ?? '') : whole))
    .replace(/\{\{\s*value\.([a-z0-9_]{1,48})\s*\}\}/g, (whole, key: string) => {
      const seen = evaluated.find(({ parameter }) => parameter === key);
      return seen ? String(seen.actual ?? '–') : whole;
    });
}
