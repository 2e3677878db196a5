import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

interface ConfigurationTemplatesTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  description: string;
  /** Devices of which system it is for. */
  system: 'rutos' | 'tswos' | 'openwrt' | 'debian';
  /** The template that it builds on. */
  base_id: number | null;
  /** What people call this state of it. */
  version: string;
  /** Grows with each change of the settings. */
  revision: number;
  /** `TemplateCall[]` of schemas/kit/devices/configuration-template.ts. */
  template: JsonText;
  /** Empty: any. */
  min_firmware: string;
  max_firmware: string;
  /** Who changed it last: the nightly comparison runs with their rights. */
  created_by: number | null;
  actor_company_id: number;
  user_name: string;
  /** When devices are compared with it next. */
  next_at: Millis;
  created_at: Millis;
  updated_at: Millis;
}

interface ConfigurationRevisionsTable {
  id: Generated<number>;
  template_id: number;
  revision: number;
  version: string;
  template: JsonText;
  user_name: string;
  created_at: Millis;
}

/** A value that templates name: of a company, of a tag, or of a device. */
interface ConfigurationVariablesTable {
  id: Generated<number>;
  company_id: number;
  tag_id: number | null;
  device_id: number | null;
  name: string;
  /** Sealed when it is secret. */
  value: string;
  is_secret: Flag;
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
}

/** A device that follows a template, and how it differed when it was compared last. */
interface DeviceTemplatesTable {
  id: Generated<number>;
  device_id: number;
  template_id: number;
  state: 'equal' | 'differs' | 'unknown';
  /** The revision that was put on the device last. */
  revision: number;
  /** `Difference[]`, or the `TemplateFault` of a device that could not be compared. */
  differences: JsonText;
  differences_count: number;
  applied_at: Millis;
  compared_at: Millis | null;
}

/** Edits of settings that are drafted, reviewed, applied and undone as one. */
interface ChangeSetsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  description: string;
  state: 'draft' | 'in_review' | 'approved' | 'applied' | 'undone';
  /** `ChangeSetEdit[]`, sealed: values may be secret. */
  sealed_edits: string;
  edits_count: number;
  devices_count: number;
  created_by: number | null;
  user_name: string;
  /** Who approved it, or gave it back. */
  reviewed_by: Generated<number | null>;
  reviewer_name: Generated<string>;
  reviewed_at: Generated<Millis | null>;
  review_note: Generated<string>;
  applied_at: Generated<Millis | null>;
  /** What it changed on each device, without secrets. */
  applied_changes: Generated<JsonText | null>;
  /** `ConfigureCall[]` that put back what was before, sealed. */
  sealed_undo: Generated<string | null>;
  created_at: Millis;
  updated_at: Millis;
}

export interface ConfigurationTables {
  change_sets: ChangeSetsTable;
  configuration_templates: ConfigurationTemplatesTable;
  configuration_revisions: ConfigurationRevisionsTable;
  configuration_variables: ConfigurationVariablesTable;
  device_templates: DeviceTemplatesTable;
}
