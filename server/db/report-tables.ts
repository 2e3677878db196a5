import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

/** What a report is to hold, of which devices, and when it is made by itself. */
export interface ReportsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  description: string;
  type: 'single' | 'periodic';
  period: 'day' | 'week' | 'month' | 'custom';
  parameters: JsonText;
  /** `company`: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  /** Ids of devices or tags; empty for a company. */
  apply_list: JsonText;
  is_active: Flag;
  /** Days, `2026-03-01`; both are included. */
  start_date: string | null;
  end_date: string | null;
  /** `06:00`: when a periodic report is made. */
  time: string;
  timezone: string;
  /** Addresses that each report goes to. */
  mail_to: Generated<JsonText>;
  mail_language: Generated<string>;
  /** The mail server that carries it; null: the default one. */
  smtp_config_id: Generated<number | null>;
  /** Those whose numbers the reports show: JSON of their ids. */
  monitoring_templates: Generated<JsonText>;
  next_at: Millis | null;
  generated_at: Millis | null;
  created_by: number | null;
  actor_company_id: number;
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
}

/** A report that was made, or is being made by its job. */
export interface GeneratedReportsTable {
  id: Generated<number>;
  company_id: number;
  report_id: number | null;
  report_name: string;
  name: string;
  description: string;
  type: 'single' | 'periodic';
  period: 'day' | 'week' | 'month' | 'custom';
  parameters: JsonText;
  /** The first moment, and the first that is no longer in it. */
  starts_at: Millis;
  ends_at: Millis;
  job_id: number | null;
  mail_to: Generated<JsonText>;
  mail_language: Generated<string>;
  /** The mail server that carries it; null: the default one. */
  smtp_config_id: Generated<number | null>;
  /** The numbers of monitoring templates that it shows, as they were named then. */
  variables: Generated<JsonText>;
  mailed_at: Generated<Millis | null>;
  user_name: string;
  created_at: Millis;
}

/** What a report says of one device; null where nothing was reported or asked for. */
export interface ReportDevicesTable {
  generated_id: number;
  device_id: number;
  company_id: number;
  name: string;
  serial: string;
  mac: string;
  company_name: string;
  /** The site where it was when the report was made. */
  site_name: string | null;
  sent: number | null;
  received: number | null;
  /** Bytes by SIM slot. */
  sims: JsonText | null;
  min_signal: number | null;
  max_signal: number | null;
  avg_signal: number | null;
  min_temperature: number | null;
  max_temperature: number | null;
  avg_temperature: number | null;
  router_uptime: number | null;
  /** Seconds online. */
  connection_uptime: number | null;
  /** 0 to 100: the share of the time outside maintenance windows in which it was online. */
  availability: number | null;
  operator: string | null;
  connection_type: string | null;
  firmware: string | null;
  actions_done: number | null;
  actions_failed: number | null;
  /** Raised in the period. */
  alerts: number | null;
}

/** How often a kind of change was made in a company in the period of a report. */
export interface ReportAuditsTable {
  generated_id: number;
  company_id: number;
  action: string;
  count: number;
  people: number;
}

/** Bytes of the devices of a company by day, in a report. */
export interface ReportDaysTable {
  generated_id: number;
  company_id: number;
  day: Millis;
  sent: number;
  received: number;
}

/** What a device answered for a variable of a monitoring template in the period of a report. */
export interface ReportValuesTable {
  generated_id: number;
  device_id: number;
  company_id: number;
  metric: string;
  lowest: number;
  highest: number;
  average: number;
}

export interface ReportTables {
  reports: ReportsTable;
  generated_reports: GeneratedReportsTable;
  report_devices: ReportDevicesTable;
  report_days: ReportDaysTable;
  report_audits: ReportAuditsTable;
  report_values: ReportValuesTable;
}
