import type { GeneratedReport } from '../../../schemas/_generated/contract.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { formatNumber, translate } from '../../kernel/i18n/index.ts';

export type Parameter = GeneratedReport['parameters'][number];

/** What a site has of a device. */
type Figure =
  | 'sent'
  | 'received'
  | 'avg_signal'
  | 'avg_temperature'
  | 'router_uptime'
  | 'connection_uptime'
  | 'availability'
  | 'actions_done'
  | 'actions_failed'
  | 'alerts';

/** A number with the device that it is of. */
export interface Extreme {
  value: number;
  router_id: number;
  name: string;
}

export interface ReportDevice {
  device_id: number;
  name: string;
  serial: string;
  sent: number | null;
  received: number | null;
  avg_signal: number | null;
  avg_temperature: number | null;
  router_uptime: number | null;
  connection_uptime: number | null;
  availability: number | null;
  operator: string | null;
  connection_type: string | null;
  firmware: string | null;
  actions_done: number | null;
  actions_failed: number | null;
  alerts: number | null;
  /** Averages of what monitoring templates collect, by metric. */
  values: Record<string, number>;
}

/** The figures of the devices at a site: sums of what is counted, averages of what is measured. */
export interface SiteStat extends Pick<ReportDevice, Figure> {
  name: string;
  company_name: string;
  devices_count: number;
}

/** What all devices together answered for a variable of a monitoring template. */
export interface VariableStat {
  metric: string;
  label: string;
  lowest: number | null;
  average: number | null;
  highest: number | null;
  devices_count: number;
}

type Average = 'signal' | 'temperature' | 'router_uptime' | 'connection_uptime' | 'availability';
type Measured = Exclude<Average, 'availability'>;

/** A report with what it says, as `GET /reports/generated/{id}` answers it. */
export interface ReportContent extends GeneratedReport {
  devices_count: number;
  all: Record<`${'max' | 'min'}_${Measured}`, Extreme | null> & {
    mobile_data: { sent: number; received: number; total: number };
    average_values: Record<Average, number | null>;
    actions: { done: number; failed: number };
    alerts: number;
  };
  devices: ReportDevice[];
  days: { date: string; sent: number; received: number }[];
  operator_stats: { name: string; value: number }[];
  connection_type_stats: { name: string; value: number }[];
  firmware_stats: { name: string; value: number }[];
  site_stats: SiteStat[];
  variable_stats: VariableStat[];
  audit_stats: { action: string; count: number; people: number }[];
}

const DAY_SECONDS = 86_400;
const NONE = '–';
const round = (value: number, digits: number): string => formatNumber(Math.round(value * 10 ** digits) / 10 ** digits);

/** A value of a report with its unit; a dash where nothing was reported. */
export const words = {
  percent: (value: number | null): string => (value === null ? NONE : `${round(value, 2)} %`),
  days: (seconds: number | null): string =>
    seconds === null ? NONE : translate('reports.days', { count: round(seconds / DAY_SECONDS, 2) }),
  bytes: (value: number | null): string => (value === null ? NONE : formatBytes(value)),
  signal: (value: number | null): string => (value === null ? NONE : `${round(value, 1)} dBm`),
  celsius: (tenths: number | null): string => (tenths === null ? NONE : `${round(tenths / 10, 1)} °C`),
  value: (value: number | null): string => (value === null ? NONE : round(value, 2)),
  number: (value: number | null): string => (value === null ? NONE : formatNumber(value)),
  text: (value: string | null): string => value ?? NONE,
};

/** The numbers that are averaged over all devices, and how they read. */
export const AVERAGES: readonly { name: Average; words: (value: number | null) => string }[] = [
  { name: 'availability', words: words.percent },
  { name: 'connection_uptime', words: words.days },
  { name: 'router_uptime', words: words.days },
  { name: 'signal', words: words.signal },
  { name: 'temperature', words: words.celsius },
];

interface Column<R> {
  key: string;
  title: string;
  read: (row: R) => string;
}

const titleOf = (name: Parameter): string => translate(`values.generated_report.parameters.${name}`);

const measured = (): (Column<Pick<ReportDevice, Figure>> & { of: Parameter })[] => [
  { of: 'availability', key: 'availability', title: titleOf('availability'), read: (row) => words.percent(row.availability) },
  { of: 'connection_uptime', key: 'online', title: titleOf('connection_uptime'), read: (row) => words.days(row.connection_uptime) },
  { of: 'router_uptime', key: 'uptime', title: titleOf('router_uptime'), read: (row) => words.days(row.router_uptime) },
  { of: 'data_usage', key: 'sent', title: translate('reports.sent'), read: (row) => words.bytes(row.sent) },
  { of: 'data_usage', key: 'received', title: translate('reports.received'), read: (row) => words.bytes(row.received) },
  { of: 'signal', key: 'signal', title: titleOf('signal'), read: (row) => words.signal(row.avg_signal) },
  { of: 'temperature', key: 'temperature', title: titleOf('temperature'), read: (row) => words.celsius(row.avg_temperature) },
];

const counted = (): ReturnType<typeof measured> => [
  { of: 'actions', key: 'done', title: translate('reports.actions_done'), read: (row) => words.number(row.actions_done) },
  { of: 'actions', key: 'failed', title: translate('reports.actions_failed'), read: (row) => words.number(row.actions_failed) },
  { of: 'alerts', key: 'alerts', title: titleOf('alerts'), read: (row) => words.number(row.alerts) },
];

/** The columns of the sites that a report with these parameters has. */
export const siteColumns = (parameters: readonly Parameter[]): Column<SiteStat>[] =>
  [...measured(), ...counted()].filter(({ of }) => parameters.includes(of));

/** The columns of the devices that a report with these parameters has. */
export function deviceColumns(parameters: readonly Parameter[], variables: readonly VariableStat[]): Column<ReportDevice>[] {
  const all: (Column<ReportDevice> & { of: Parameter })[] = [
    ...measured(),
    { of: 'operator', key: 'operator', title: titleOf('operator'), read: (row) => words.text(row.operator) },
    { of: 'connection_type', key: 'type', title: titleOf('connection_type'), read: (row) => words.text(row.connection_type) },
    { of: 'firmware', key: 'firmware', title: titleOf('firmware'), read: (row) => words.text(row.firmware) },
    ...counted(),
  ];
  return [
    ...all.filter(({ of }) => parameters.includes(of)),
    ...variables.map(({ metric, label }) => ({
      key: metric,
      title: label,
      read: (row: ReportDevice) => words.value(row.values[metric] ?? null),
    })),
  ];
}
