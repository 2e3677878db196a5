import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

/** What happens by itself when devices report something. */
export interface AutomationsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  description: string;
  is_enabled: Flag;
  /** `company`: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  /** Ids of tags; devices are rows of `automation_devices`. */
  apply_list: JsonText;
  /** A `Rule` of the room of automations. */
  rule: JsonText;
  /** Grows with each change of the rule. */
  version: number;
  /** With whose rights its actions run; null once that person is gone, and it acts no more. */
  created_by: number | null;
  actor_company_id: number;
  user_name: string;
  triggered_count: number;
  /** When mails of it were sent last: several devices go into one. */
  last_mail_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** A rule that an automation has or had. */
export interface AutomationVersionsTable {
  automation_id: number;
  version: number;
  /** A `Rule` of the room of automations. */
  rule: JsonText;
  user_name: string;
  created_at: Millis;
}

/** An automation on a device: chosen by somebody, or kept because the rule has to remember something of it. */
export interface AutomationDevicesTable {
  automation_id: number;
  device_id: number;
  is_enabled: Flag;
  /** A `State` of the room of automations. */
  state: JsonText;
  /** When it has to be evaluated again although nothing was reported. */
  due_at: Millis | null;
  triggered_count: number;
  last_triggered_at: Millis | null;
  created_at: Millis;
}

/** What an automation did on a device, and why. */
export interface AutomationLogsTable {
  id: Generated<number>;
  automation_id: number;
  device_id: number;
  company_id: number;
  at: Millis;
  /** Which branch of the rule, `0.1`. */
  branch: string;
  version: number;
  /** Every condition with the value at that moment. */
  evaluated: JsonText;
  actions: JsonText;
  /** `waiting`: what tells people waits until it is known whether the device is silent because of its router. */
  status: 'pending' | 'waiting' | 'running' | 'done' | 'failed';
  /** What became of each action. */
  results: JsonText;
  /** Whether mails of it are still to be sent: they wait, to go together with others. */
  mails: 'none' | 'pending' | 'sent';
  finished_at: Millis | null;
  /** Until when it has waited to know what became of the router; null: it has not. */
  waited_at: Generated<Millis | null>;
  /** The router of the device's site that is the reason for what the conditions say. */
  cause_device_id: Generated<number | null>;
}

/** Something that is wrong with a device, until it ends. */
export interface AlertsTable {
  id: Generated<number>;
  /** null once the automation is gone. */
  automation_id: number | null;
  device_id: number;
  company_id: number;
  branch: string;
  /** Of the automation. */
  name: string;
  severity: 'info' | 'warning' | 'critical';
  /** `%ex` in it are the conditions. */
  message: string;
  /** What held when it was raised, as JSON; null: not kept. */
  conditions: string | null;
  raised_at: Millis;
  ended_at: Millis | null;
  acknowledged_at: Millis | null;
  /** Who acknowledged it, by name. */
  acknowledged_by: string | null;
  snoozed_until: Millis | null;
  /** The router of its site that was offline: the alert is silenced while it is. */
  cause_device_id: number | null;
  /** When it was handed to the people who are notified of such alerts; null while that is still to come. */
  told_at: Millis | null;
  /** When people got a notification of it; null while that is still to come. */
  noticed_at: Millis | null;
  /** To how many steps of the on-call schedule it has gone. */
  escalated: Generated<number>;
  /** How often its condition began, once that is flapping; else 0. */
  flapped: Generated<number>;
}

/** An alert of a single device as the public API knows it; its rule is an automation. */
export interface AlertConfigurationsTable {
  id: Generated<number>;
  device_id: number;
  automation_id: number;
  /** Of schemas/kit/resources/alert-types.ts. */
  subtype_id: number;
  /** 1: mail · 2: notification · 3: both. */
  action: number;
  subject: string;
  message: string;
  email: string;
  smtp_config_id: number | null;
  redundancy_enable: Flag;
  /** Minutes. */
  redundancy_interval: number;
  /** All that was asked for. */
  details: JsonText;
  created_by: number | null;
  created_at: Millis;
  updated_at: Millis;
}

/** Alerts that wait to be mailed to somebody, counted: all go into one mail. */
export interface AlertMailsTable {
  user_id: number;
  company_id: number;
  name: string;
  severity: AlertsTable['severity'];
  /** `rule`: by the person's own rule · `on-call`, `next`, `everybody`: a step of the on-call schedule · `reminder`: nobody has answered. */
  reason: 'rule' | 'reminder' | 'on-call' | 'next' | 'everybody';
  count: number;
  /** Names of some of the devices. */
  devices: JsonText;
  first_at: Millis;
  last_at: Millis;
}

/** When somebody was last mailed about alerts. */
export interface AlertMailTimesTable {
  user_id: number;
  sent_at: Millis;
}

/** Who answers alerts of a company and those below it, and when. */
export interface OnCallSchedulesTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  /** In the order of their turns. */
  user_ids: JsonText;
  shift_days: number;
  /** The day of the first turn, `2026-11-02`. */
  starts_on: string;
  handover_hour: number;
  timezone: string;
  least_severity: AlertsTable['severity'];
  /** Minutes without an answer until whose turn it is is asked, and from each step to the next. */
  after_minutes: number;
  next_minutes: number;
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
}

export interface AutomationTables {
  automations: AutomationsTable;
  automation_versions: AutomationVersionsTable;
  automation_devices: AutomationDevicesTable;
  automation_logs: AutomationLogsTable;
  alerts: AlertsTable;
  alert_configurations: AlertConfigurationsTable;
  alert_mails: AlertMailsTable;
  alert_mail_times: AlertMailTimesTable;
  on_call_schedules: OnCallSchedulesTable;
}
