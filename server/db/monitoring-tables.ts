import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

/** What devices are asked for repeatedly. */
interface MonitoringTemplatesTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  description: string;
  api_system: 'rutos' | 'tswos' | null;
  api_version: string;
  device_documentation_id: number | null;
  /** Sources with their variables, as schemas/forms/monitoring-templates has them. */
  data: JsonText;
  /** Grows with each change of what is asked for. */
  version: number;
  is_enabled: Flag;
  /** Seconds: the default of new assignments. */
  period: number;
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
}

/** Under which name the telemetry has a variable of a template. */
interface MonitoringVariablesTable {
  metric: string;
  template_id: number;
  variable: string;
  url: string;
  type: string;
  description: string;
}

interface MonitoringAssignmentsTable {
  id: Generated<number>;
  template_id: number;
  device_id: number;
  is_enabled: Flag;
  /** Seconds. */
  period: number;
  /** When it answered last, and how much that was. */
  last_at: Millis | null;
  last_bytes: number | null;
  created_at: Millis;
}

/** What a device answered: the values by source, and why variables have none. */
interface MonitoringReportsTable {
  id: Generated<number>;
  template_id: number;
  device_id: number;
  company_id: number;
  at: Millis;
  data: JsonText;
  log: JsonText;
}

export interface MonitoringTables {
  monitoring_templates: MonitoringTemplatesTable;
  monitoring_variables: MonitoringVariablesTable;
  monitoring_assignments: MonitoringAssignmentsTable;
  monitoring_reports: MonitoringReportsTable;
}
