/** Comparisons of a rule. */
export const RULE_OPERATORS = [
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'contains',
  'matches',
  'in',
  'is',
  'changed',
  'changed_by',
  'between',
  'inside',
  'outside',
  'missing',
  'unusual',
] as const;
export type RuleOperator = (typeof RULE_OPERATORS)[number];

/** What a rule of an automation does. */
export const RULE_ACTIONS = [
  'RaiseAlert',
  'SendEmail',
  'SendNotification',
  'TaskManagerAction',
  'Reboot',
  'ExportBackup',
  'ExportTroubleshoot',
  'ExportEventsLog',
  'AddTag',
  'RemoveTag',
  'Webhook',
  'RunForm',
  'PauseRollOuts',
  'OpenIncident',
  'CloseIncident',
] as const;
export type RuleActionName = (typeof RULE_ACTIONS)[number];

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** What happens on devices, or to their connections, that a rule can wait for. */
export const RULE_EVENTS = ['connected', 'disconnected', 'restarted', 'refused', 'log', 'limited'] as const;

export type RuleParameterType = 'number' | 'text' | 'choice' | 'time' | 'place' | 'event' | 'words' | 'boolean';

export interface RuleParameter {
  name: string;
  type: RuleParameterType;
  /** What a choice may be. */
  values?: readonly string[];
}

const number = (name: string): RuleParameter => ({ name, type: 'number' });
const text = (name: string): RuleParameter => ({ name, type: 'text' });

/** Percent of the data limit of the SIM in use; of the fuller one where there are two. */
export const SIM_LIMIT_USED = 'sim_limit_used';

/** Whether the device is connected to a VPN hub that it is a client of. */
export const VPN_CONNECTED = 'vpn_connected';

/** What conditions may speak of, beside any metric that devices send by themselves. */
export const RULE_PARAMETERS: readonly RuleParameter[] = [
  { name: 'status', type: 'choice', values: ['online', 'offline'] },
  ...['signal', 'rsrp', 'rsrq', 'sinr', 'temperature', 'router_uptime', 'load1', 'mem_available_kb', 'sent', 'received'].map(number),
  ...['satellites', 'speed', 'wireless_clients', 'hotspot_users'].map(number),
  ...['data_day', 'data_week', 'data_month', SIM_LIMIT_USED].map(number),
  { name: 'connection_type', type: 'choice', values: ['5G', 'LTE', '3G', '2G'] },
  { name: 'network_state', type: 'choice', values: ['Home', 'Roaming'] },
  { name: 'wan_state', type: 'choice', values: ['Mobile', 'Wired', 'WiFi'] },
  ...['operator', 'sim_slot', 'iccid', 'wan_ip', 'mobile_ip', 'firmware', 'hostname'].map(text),
  { name: VPN_CONNECTED, type: 'boolean', values: ['yes', 'no'] },
  { name: 'time', type: 'time' },
  { name: 'weekday', type: 'choice', values: WEEKDAYS },
  { name: 'position', type: 'place' },
  { name: 'event', type: 'event', values: RULE_EVENTS },
  { name: 'event_text', type: 'words' },
];

/** What is so for a moment alone: events and what they say. Several of one report are lines of one text; without any it is empty. */
export const RULE_MOMENTS: ReadonlySet<string> = new Set(['event', 'event_text']);

// `data_month`, `data_week_sim2`
const DATA = /^data_(day|week|month)(?:_sim([12]))?$/;

/** Of `data_month_sim1`: mobile data in MiB since the beginning of the month (UTC) over that SIM, or all of them. */
export function ruleDataOf(name: string): { period: 'day' | 'week' | 'month'; sim: number | undefined } | undefined {
  const [, period, sim] = DATA.exec(name) ?? [];
  if (period !== 'day' && period !== 'week' && period !== 'month') return undefined;
  return { period, sim: sim === undefined ? undefined : Number(sim) };
}

/** Whether the server itself knows a parameter, not the device's report: sums of mobile data, the connection to a VPN hub. */
export const isKnownByServer = (name: string): boolean =>
  name === SIM_LIMIT_USED || name === VPN_CONNECTED || ruleDataOf(name) !== undefined;

const byName = new Map(RULE_PARAMETERS.map((parameter) => [parameter.name, parameter]));
/** Readings that devices send under names of their own: `pin_din1`. */
const OWN_METRIC = /^[a-z][a-z0-9_]{0,47}$/;

/** The parameter of a name; readings of devices' own are numbers. undefined: nothing can be called so. */
export function ruleParameterOf(name: string): RuleParameter | undefined {
  return byName.get(name) ?? (OWN_METRIC.test(name) ? number(name) : undefined);
}

const OPERATORS_OF: Readonly<Record<RuleParameterType, readonly RuleOperator[]>> = {
  number: ['==', '!=', '>', '>=', '<', '<=', 'between', 'changed', 'changed_by', 'missing', 'unusual'],
  text: ['==', '!=', 'contains', 'matches', 'in', 'changed'],
  choice: ['==', '!=', 'in', 'changed'],
  boolean: ['is', 'changed'],
  time: ['between'],
  place: ['inside', 'outside', 'missing'],
  event: ['==', 'in'],
  words: ['contains', 'matches', '=='],
};

/** How a parameter of a type can be compared. */
export const ruleOperatorsOf = (type: RuleParameterType): readonly RuleOperator[] => OPERATORS_OF[type];

/** Comparisons with nothing: the device itself says what is compared. */
export const RULE_OPERATORS_WITHOUT_VALUE: ReadonlySet<string> = new Set(['changed', 'unusual']);
/** They only grow until they begin again, so no value of them is usual. */
export const RULE_COUNTERS: ReadonlySet<string> = new Set(['sent', 'received', 'router_uptime']);
/** No more characters of a text than this are searched for a regular expression, which bounds the time. */
export const MOST_CHARACTERS_MATCHED = 500;
/** Of so many reports at most a condition can ask how many met it. */
export const MOST_REPORTS_OF_CONDITION = 50;
