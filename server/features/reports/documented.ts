import type { Report } from '../../../schemas/_generated/contract.ts';
import { SECOND } from '../../kernel/clock.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { ReportContent } from './content.ts';
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
    ...(is_active === undefined || type === 'single'
      ? {}
      : { is_active: is_active === 0 || is_active === 1 ? is_active === 1 : is_active }),
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

/**
 * A report with what the public API documents of it: what it was made for, and the traffic of the first two SIMs of each device. `appliesTo`: null where that is
 * known no longer. `roundsAverages`: to whole numbers, as programs read them.
 */
export function documentContent(
  report: ReportContent,
  { appliesTo, at, roundsAverages }: { appliesTo: Report['applied_by'] | null; at: number; roundsAverages: boolean },
) {
  const { all, devices } = report;
  const rounded = (average: number | null) => (average === null || !roundsAverages ? average : Math.round(average));
  const { signal, temperature, router_uptime, connection_uptime } = all.average_values;
  return {
    ...report,
    params: {
      type: report.type,
      company: report.company_id,
      apply_to: appliesTo,
      start_date: report.start_date,
      end_date: report.end_date,
      period_type: report.period,
      parameters: report.parameters.join(','),
      report_name: report.report_template_name,
      report_description: report.description,
      generation_date: Math.floor(at / SECOND),
    },
    all: {
      ...all,
      average_values: {
        ...all.average_values,
        signal: rounded(signal),
        temperature: rounded(temperature),
        router_uptime: rounded(router_uptime),
        connection_uptime: rounded(connection_uptime),
      },
    },
    devices: devices.map((device) => {
      const trafficOf = (sim: number) => device.sims.find((one) => one.sim === sim);
      return {
        ...device,
        router_id: device.device_id,
        sent_sim1: trafficOf(1)?.sent ?? null,
        received_sim1: trafficOf(1)?.received ?? null,
        sent_sim2: trafficOf(2)?.sent ?? null,
        received_sim2: trafficOf(2)?.received ?? null,
      };
    }),
  };
}
