import type { Language } from '../../kernel/language.ts';
import type { PdfColumn, PdfDocument } from '../../kernel/pdf/types.ts';
import type { ReportContent } from './content.ts';
import texts from './report-texts.json' with { type: 'json' };
import type { Parameter } from './types.ts';

const MOST_ROWS = 500;
const DAY_SECONDS = 86_400;

type Device = ReportContent['devices'][number];
/** What a site has of a device: its figures. */
type Figures = Omit<ReportContent['site_stats'][number], 'name' | 'company_name' | 'devices_count'>;

function fill(text: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((filled, [name, word]) => filled.replaceAll(`{${name}}`, () => word), text);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Bytes in the unit that suits them, 1 kB being 1024 B as in the console. */
function bytesText(language: Language, bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const unit = UNITS[power] ?? 'byte';
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / 1024 ** power);
}

/** A report as it is printed, in a language; days are in UTC. */
export function reportDocument(report: ReportContent, language: Language, madeAt: number): PdfDocument {
  const t = texts[language];
  const number = (value: number | null, digits = 1): string =>
    value === null ? '–' : new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
  const days = (seconds: number | null): string => (seconds === null ? '–' : fill(t.days, { count: number(seconds / DAY_SECONDS, 2) }));
  const percent = (value: number | null): string => (value === null ? '–' : `${number(value, 2)} %`);
  const celsius = (value: number | null): string => (value === null ? '–' : `${number(value / 10)} °C`);
  const bytes = (value: number | null): string => (value === null ? '–' : bytesText(language, value));
  const has = (name: Parameter): boolean => report.parameters.includes(name);
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const { all } = report;
  const average = all.average_values;
  const facts: { label: string; value: string; of?: Parameter }[] = [
    { label: t.devices, value: number(report.devices_count, 0) },
    { label: t.availability, value: percent(average.availability), of: 'availability' },
    { label: t.connection_uptime, value: days(average.connection_uptime), of: 'connection_uptime' },
    { label: t.router_uptime, value: days(average.router_uptime), of: 'router_uptime' },
    { label: t.sent, value: bytes(all.mobile_data.sent), of: 'data_usage' },
    { label: t.received, value: bytes(all.mobile_data.received), of: 'data_usage' },
    { label: t.signal, value: average.signal === null ? '–' : `${number(average.signal)} dBm`, of: 'signal' },
    { label: t.temperature, value: celsius(average.temperature), of: 'temperature' },
    { label: t.actions_done, value: number(all.actions.done, 0), of: 'actions' },
    { label: t.actions_failed, value: number(all.actions.failed, 0), of: 'actions' },
    { label: t.alerts, value: number(all.alerts, 0), of: 'alerts' },
  ];
  const figures: { column: PdfColumn; of: Parameter; text: (row: Figures) => string }[] = [
    { column: { title: t.availability, share: 2.4, align: 'end' }, of: 'availability', text: (row) => percent(row.availability) },
    {
      column: { title: t.connection_uptime, share: 2.4, align: 'end' },
      of: 'connection_uptime',
      text: (row) => days(row.connection_uptime),
    },
    { column: { title: t.router_uptime, share: 2.4, align: 'end' }, of: 'router_uptime', text: (row) => days(row.router_uptime) },
    { column: { title: t.sent, share: 2.2, align: 'end' }, of: 'data_usage', text: (row) => bytes(row.sent) },
    { column: { title: t.received, share: 2.2, align: 'end' }, of: 'data_usage', text: (row) => bytes(row.received) },
    { column: { title: t.signal, share: 1.8, align: 'end' }, of: 'signal', text: (row) => number(row.avg_signal) },
    { column: { title: t.temperature, share: 2.2, align: 'end' }, of: 'temperature', text: (row) => celsius(row.avg_temperature) },
  ];
  const counted: typeof figures = [
    { column: { title: t.actions_done, share: 1.8, align: 'end' }, of: 'actions', text: (row) => number(row.actions_done, 0) },
    { column: { title: t.actions_failed, share: 1.8, align: 'end' }, of: 'actions', text: (row) => number(row.actions_failed, 0) },
    { column: { title: t.alerts, share: 1.6, align: 'end' }, of: 'alerts', text: (row) => number(row.alerts, 0) },
  ];
  const ofSites = [...figures, ...counted].filter(({ of }) => has(of));
  const columns: { column: PdfColumn; of?: Parameter; text: (device: Device) => string }[] = [
    { column: { title: t.device, share: 4 }, text: ({ name }) => name },
    { column: { title: t.serial, share: 2.6 }, text: ({ serial }) => serial },
    ...figures,
    { column: { title: t.operator, share: 2.4 }, of: 'operator', text: (row) => row.operator ?? '–' },
    { column: { title: t.connection_type, share: 2.2 }, of: 'connection_type', text: (row) => row.connection_type ?? '–' },
    { column: { title: t.firmware, share: 3 }, of: 'firmware', text: (row) => row.firmware ?? '–' },
    ...counted,
  ];
  for (const { metric, label } of report.variable_stats)
    columns.push({ column: { title: label, share: 2.4, align: 'end' }, text: (row) => number(row.values[metric] ?? null, 2) });
  const shown = columns.filter(({ of }) => of === undefined || has(of));
  const stats = (title: string, name: Parameter, rows: readonly { name: string; value: number }[]) =>
    has(name)
      ? [
          {
            title,
            columns: [
              { title, share: 4 },
              { title: t.devices, share: 1, align: 'end' as const },
            ],
            rows: rows.map((row) => [row.name, number(row.value, 0)]),
            empty: t.nothing,
          },
        ]
      : [];
  return {
    language,
    title: report.name,
    subtitle: `${report.company_name} · ${day.format(Date.parse(report.start_date))} – ${day.format(Date.parse(report.end_date))}`,
    facts: facts.filter(({ of }) => of === undefined || has(of)).map(({ label, value }) => ({ label, value })),
    tables: [
      ...stats(t.operator, 'operator', report.operator_stats),
      ...stats(t.connection_type, 'connection_type', report.connection_type_stats),
      ...stats(t.firmware, 'firmware', report.firmware_stats),
      ...(report.site_stats.length > 0 && ofSites.length > 0
        ? [
            {
              title: t.sites,
              columns: [
                { title: t.site, share: 4 },
                { title: t.devices, share: 1.4, align: 'end' as const },
                ...ofSites.map(({ column }) => column),
              ],
              rows: report.site_stats.map((row) => [row.name, number(row.devices_count, 0), ...ofSites.map(({ text }) => text(row))]),
              empty: t.nothing,
            },
          ]
        : []),
      ...(report.variable_stats.length > 0
        ? [
            {
              title: t.collected,
              columns: [
                { title: t.variable, share: 4 },
                { title: t.average, share: 1.4, align: 'end' as const },
                { title: t.lowest, share: 1.4, align: 'end' as const },
                { title: t.highest, share: 1.4, align: 'end' as const },
                { title: t.devices, share: 1, align: 'end' as const },
              ],
              rows: report.variable_stats.map((row) => [
                row.label,
                ...[row.average, row.lowest, row.highest].map((value) => number(value, 2)),
                number(row.devices_count, 0),
              ]),
              empty: t.nothing,
            },
          ]
        : []),
      ...(has('audit')
        ? [
            {
              title: t.audit,
              columns: [
                { title: t.action, share: 4 },
                { title: t.times, share: 1, align: 'end' as const },
                { title: t.people, share: 1, align: 'end' as const },
              ],
              rows: report.audit_stats.map((row) => [row.action, number(row.count, 0), number(row.people, 0)]),
              empty: t.nothing,
            },
          ]
        : []),
      {
        title: t.devices,
        columns: shown.map(({ column }) => column),
        rows: report.devices.slice(0, MOST_ROWS).map((device) => shown.map(({ text }) => text(device))),
        empty: t.nothing,
        ...(report.devices_count > MOST_ROWS ? { note: fill(t.most, { count: number(MOST_ROWS, 0) }) } : {}),
      },
    ],
    footer: fill(t.footer, { date: new Date(madeAt).toISOString().slice(0, 16).replace('T', ' ') }),
    madeAt,
  };
}
