import type { RuleActionName, RuleOperator } from '../../../schemas/kit/form/rule-parameters.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';

/** What a device was seen with: numbers, texts, or undefined where it has not said it. */
export type Value = number | string;
export type Values = Readonly<Record<string, Value | undefined>>;

/** One comparison. `joins_with` says how it is joined with the next one; `&&` binds before `||`. */
export interface Condition {
  parameter: string;
  operator: RuleOperator;
  value?: string | undefined;
  joins_with?: '&&' | '||' | undefined;
  /** With `of`: holds when the comparison was met in at least `times` of the last `of` reports of the parameter. */
  times?: number | undefined;
  of?: number | undefined;
  /** Of a comparison of numbers: how far the value has to come back until it is over, in its unit; not set: 2 % of the threshold. */
  tolerance?: number | undefined;
}

export interface ActionOptions {
  severity?: 'info' | 'warning' | 'critical';
  subject?: string;
  message?: string;
  receiving_emails?: string[];
  /** The mail server that carries it; else the default one. */
  smtp_config_id?: number;
  /** Of a mail; English unless set. */
  mail_language?: 'en' | 'nb' | 'ja' | 'uk';
  receiving_users?: number[];
  task_group_id?: number;
  tag_id?: number;
  url?: string;
  /** Of a form that is sent over the device: its id and its fields. */
  form?: string;
  form_data?: Record<string, JsonValue>;
  /** Of an incident: the open one of this title on the device. */
  title?: string;
}

export interface Action {
  name: RuleActionName;
  options?: ActionOptions;
}

/** A branch of a rule: `else` goes with the `if` before it. At most three levels. */
export interface Branch {
  type: 'if' | 'else';
  expression?: Condition[];
  actions?: Action[];
  conditions?: Branch[];
}

export const PERIODS = ['hour', 'day', 'week'] as const;

/** What an automation does, without its name and devices. Times in seconds. */
export interface Rule {
  branches: readonly Branch[];
  /** How long a branch must hold before it is acted on. */
  delaySeconds: number;
  /** And in how many reports. */
  delayCount: number;
  /** Quiet time of a device after it was acted on. */
  cooldownSeconds: number;
  /** How long a branch that was acted on must not hold until it is over; not set: some minutes where it compares numbers, else none. */
  recoverySeconds?: number | undefined;
  /** At most so many times in a period; null: no limit. */
  limit: number | null;
  period: (typeof PERIODS)[number];
}

/** What is kept of a branch between two evaluations. */
export interface BranchState {
  /** Since when it holds, Unix milliseconds. */
  since?: number;
  /** In how many reports it held since. */
  count?: number;
  /** It was acted on since it holds. */
  fired?: boolean;
  /** It was acted on, and does not hold since then; it is over when that has lasted for the time to recover. */
  lostAt?: number;
  /** How often it began: within the hour before it was acted on, and since, before it was over. */
  crossings?: number;
  /** It was noted that it is held back because the rule acts too often. */
  held?: boolean;
  /** Of an `else`: its `if` held before, so it may be acted on. */
  armed?: boolean;
}

/** What is kept of an automation on a device between two evaluations. */
export interface State {
  branches: Record<string, BranchState>;
  /** Values that `changed` and `changed_by` compare with. */
  references: Record<string, Value>;
  /** The newest reading of each parameter that the device's record does not hold, and of each that may go missing: `[value, Unix milliseconds]`. */
  seen?: Record<string, [Value | null, number]>;
  /** Of conditions with `times`: whether the last reports met them, the newest at the end, `0110`. */
  windows?: Record<string, string>;
  /** When branches were acted on within the last hour. */
  recent?: Record<string, number[]>;
  lastFiredAt?: number;
  periodStart?: number;
  periodCount?: number;
}

export interface Evaluated {
  key: string;
  parameter: string;
  operator: RuleOperator;
  expected: string;
  actual: Value | null;
  /** null: the device has not said it. */
  value: boolean | null;
}

/** What a report brought for an evaluation. */
export interface Report {
  /** The device reported something, which counts for `delayCount`. */
  isReport?: boolean;
  /** Readings of the report that the device's record does not hold. */
  readings?: ReadonlyMap<string, Value>;
  /** When each reading was made, by the device; without an entry: now. One that is older than the newest known of its parameter is not evaluated. */
  readAt?: ReadonlyMap<string, number>;
  /** Since when devices can be heard: silence before it says nothing. */
  heardSince?: number;
  /** Since when the device is online: a parameter is missing only while it could be reported. */
  onlineSince?: number;
  /** The device is offline and has an alert that says so: what is missing is no news. */
  isKnownOffline?: boolean;
  /** Parameters that the report was about; those of `readings` by default. */
  fresh?: ReadonlySet<string>;
}

/** What an evaluation gave. */
export interface Outcome {
  state: State;
  /** Branches to act on now. */
  fired: string[];
  /** Branches that are held back from now on, because the rule has acted on the device as often in an hour as none should. */
  held: string[];
  /** Branches that were acted on and hold no more. */
  ended: string[];
  /** Branches that began again before they were over, with how often they did. */
  crossings: ReadonlyMap<string, number>;
  evaluated: Evaluated[];
  /** When it has to be evaluated again although nothing was reported, Unix milliseconds. */
  dueAt: number | undefined;
}

/** How an action ended. */
export interface ActionResult extends Result {
  name: Action['name'];
}

export type Result = { status: 'ok' | 'failed'; message: string | null; job_id?: number };
