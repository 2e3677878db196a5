import type { Report } from '../../../schemas/_generated/contract.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { TemplateBody } from './templates.ts';

/** The day of a moment (`2026-11-01 08:00:00`): a report is about whole days. */
const dayOf = (moment: unknown): unknown =>
  typeof moment === 'string' ? moment.replace(/^(\d{4}-\d{2}-\d{2})[ T]\d{2}:\d{2}(?::\d{2})?Z?$/, '$1') : moment;

/** A template as programs of the public API send it: with days and a switch also where none apply, and with a time of day. */
export function readTemplate(body: unknown): unknown {
  if (!isMembers(body)) return body;
  const { start_date, end_date, is_active, ...rest } = body;
  const { type, period } = rest;
  const isEmpty = (day: unknown): boolean => day === '' || day === null || day === undefined;
  return {
    ...rest,
    ...(isEmpty(start_date) && period !== undefined ? {} : { start_date: dayOf(start_date) }),
    ...(isEmpty(end_date) && period !== undefined ? {} : { end_date: dayOf(end_date) }),
    ...(is_active === undefined || type === 'single' ? {} : { is_active }),
  };
}

/** What a program sent of a template, with all else as it was: mails, time of day and time zone are not of the public API. */
export function keepingRest(template: Report, body: Partial<TemplateBody>): TemplateBody {
  const { name, description, type, period, start_date, end_date, time, timezone, is_active, parameters } = template;
  const { monitoring_templates, applied_by, apply_list, mail_to, mail_language, smtp_config_id } = template;
  const isSame = body.applied_by === undefined || body.applied_by === applied_by;
  const isNamed = body.apply_list !== undefined || body.device_ids !== undefined || body.tag_ids !== undefined;
  return {
    ...{ name, type, period, time, timezone, is_active, parameters, monitoring_templates, applied_by, mail_to, mail_language },
    description: description ?? '',
    ...(start_date === null ? {} : { start_date }),
    ...(end_date === null ? {} : { end_date }),
    ...(smtp_config_id === null ? {} : { smtp_config_id }),
    ...(isSame && !isNamed && apply_list.length > 0 ? { apply_list } : {}),
    ...body,
  };
}
