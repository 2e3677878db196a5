import type { Row } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { Evaluated } from './types.ts';

interface About {
  automation: Pick<Row<'automations'>, 'name'>;
  device: Pick<Row<'devices'>, 'name' | 'serial' | 'mac' | 'model' | 'firmware'> & { company_name: string };
  log: Pick<Row<'automation_logs'>, 'evaluated' | 'at'>;
}

/** The conditions that held, with the values of that moment: `signal < -100 (-104)`. */
export function conditionText(evaluated: readonly Evaluated[]): string {
  return evaluated
    .filter(({ value }) => value === true)
    .map(
      ({ parameter, operator, expected, actual }) => `${parameter} ${operator}${expected === '' ? '' : ` ${expected}`} (${actual ?? '–'})`,
    )
    .join(', ');
}

/**
 * A message with its placeholders filled: `%rn` the device's name, `%et` the automation's, `%ex` what held, `%ts` when, UTC; and
 * `{{device.name}}` with serial, mac, model, firmware or company, and `{{value.signal}}` for what the conditions saw.
 */
export function fillMessage(text: string, { automation, device, log }: About): string {
  const evaluated = JSON.parse(log.evaluated) as Evaluated[];
  const short: Record<string, string> = { rn: device.name, et: automation.name, ex: conditionText(evaluated), ts: wireTime(log.at) };
  const { name, serial, mac, model, firmware } = device;
  const fields: Record<string, string> = { name, serial, mac, model, firmware, company: device.company_name };
  return text
    .replace(/%(rn|et|ex|ts)/g, (whole, key: string) => short[key] ?? whole)
    .replace(/\{\{\s*device\.([a-z]{1,16})\s*\}\}/g, (whole, key: string) => (Object.hasOwn(fields, key) ? (fields[key] ?? '') : whole))
    .replace(/\{\{\s*value\.([a-z0-9_]{1,48})\s*\}\}/g, (whole, key: string) => {
      const seen = evaluated.find(({ parameter }) => parameter === key);
      return seen ? String(seen.actual ?? '–') : whole;
    });
}
