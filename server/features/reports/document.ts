import type { Language } from '../../kernel/language.ts';
import type { PdfColumn, PdfDocument, PdfTable } from '../../kernel/pdf/types.ts';
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

type Texts = (typeof texts)[Language];

/** Figures in words of a language; a figure that is not known is a dash. */
function wordsIn(language: Language, t: Texts) {
  const number = (value: number | null, digits = 1): string =>
    value === null ? '–' : new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
  return {
    number,
    count: (value: number | null): string => number(value, 0),
    days: (seconds: number | null): string => (seconds === null ? '–' : fill(t.days, { count: number(seconds / DAY_SECONDS, 2) })),
    percent: (value: number | null): string => (value === null ? '–' : `${number(value, 2)} %`),
    celsius: (value: number | null): string => (value === null ? '–' : `${number(value / 10)} °C`),
    dbm: (value: number | null): string => (value === null ? '–' : `${number(value)} dBm`),
    bytes: (value: number | null): string => (value === null ? '–' : bytesText(language, value)),
  };
}

type Words = ReturnType<typeof wordsIn>;

/** What is printed of a report only with this parameter; always without one. */
interface Part {
  of?: Parameter;
}

/** A column of a table whose rows are such. */
interface Column<Row> extends Part {
  column: PdfColumn;
  text: (row: Row) => string;
}

function factsOf({ all, devices_count: count }: ReportContent, t: Texts, words: Words): (Part & { label: string; value: string })[] {
  const average = all.average_values;
  return [
    { label: t.devices, value: words.count(count) },
    { label: t.availability, value: words.percent(average.availability), of: 'availability' },
    { label: t.connection_uptime, value: words.days(average.connection_uptime), of: 'connection_uptime' },
    { label: t.router_uptime, value: words.days(average.router_uptime), of: 'router_uptime' },
    { label: t.sent, value: words.bytes(all.mobile_data.sent), of: 'data_usage' },
    { label: t.received, value: words.bytes(all.mobile_data.received), of: 'data_usage' },
    { label: t.signal, value: words.dbm(average.signal), of: 'signal' },
    { label: t.temperature, value: words.celsius(average.temperature), of: 'temperature' },
    { label: t.actions_done, value: words.count(all.actions.done), of: 'actions' },
    { label: t.actions_failed, value: words.count(all.actions.failed), of: 'actions' },
    { label: t.alerts, value: words.count(all.alerts), of: 'alerts' },
  ];
}

const atEnd = (title: string, share: number): PdfColumn => ({ title, share, align: 'end' });

/** What was measured, of a device or of all at a site. */
function measuredColumns(t: Texts, words: Words): Column<Figures>[] {
  return [
    { column: atEnd(t.availability, 2.4), of: 'availability', text: (row) => words.percent(row.availability) },
    { column: atEnd(t.connection_uptime, 2.4), of: 'connection_uptime', text: (row) => words.days(row.connection_uptime) },
    { column: atEnd(t.router_uptime, 2.4), of: 'router_uptime', text: (row) => words.days(row.router_uptime) },
    { column: atEnd(t.sent, 2.2), of: 'data_usage', text: (row) => words.bytes(row.sent) },
    { column: atEnd(t.received, 2.2), of: 'data_usage', text: (row) => words.bytes(row.received) },
    { column: atEnd(t.signal, 1.8), of: 'signal', text: (row) => words.number(row.avg_signal) },
    { column: atEnd(t.temperature, 2.2), of: 'temperature', text: (row) => words.celsius(row.avg_temperature) },
  ];
}

/** What was done to, and raised by, a device or all at a site. */
function countedColumns(t: Texts, words: Words): Column<Figures>[] {
  return [
    { column: atEnd(t.actions_done, 1.8), of: 'actions', text: (row) => words.count(row.actions_done) },
    { column: atEnd(t.actions_failed, 1.8), of: 'actions', text: (row) => words.count(row.actions_failed) },
    { column: atEnd(t.alerts, 1.6), of: 'alerts', text: (row) => words.count(row.alerts) },
  ];
}

function deviceColumns(report: ReportContent, t: Texts, words: Words): Column<Device>[] {
  return [
    { column: { title: t.device, share: 4 }, text: ({ name }) => name },
    { column: { title: t.serial, share: 2.6 }, text: ({ serial }) => serial },
    ...measuredColumns(t, words),
    { column: { title: t.operator, share: 2.4 }, of: 'operator', text: (row) => row.operator ?? '–' },
    { column: { title: t.connection_type, share: 2.2 }, of: 'connection_type', text: (row) => row.connection_type ?? '–' },
    { column: { title: t.firmware, share: 3 }, of: 'firmware', text: (row) => row.firmware ?? '–' },
    ...countedColumns(t, words),
    ...report.variable_stats.map(({ metric, label }) => ({
      column: atEnd(label, 2.4),
      text: (row: Device) => words.number(row.values[metric] ?? null, 2),
    })),
  ];
}

function tableOf<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[], empty: string): PdfTable {
  return { title, columns: columns.map(({ column }) => column), rows: rows.map((row) => columns.map(({ text }) => text(row))), empty };
}

/** How many devices have each value. */
function valuesTable(title: string, rows: readonly { name: string; value: number }[], t: Texts, words: Words): PdfTable {
  const columns: Column<{ name: string; value: number }>[] = [
    { column: { title, share: 4 }, text: ({ name }) => name },
    { column: atEnd(t.devices, 1), text: ({ value }) => words.count(value) },
  ];
  return tableOf(title, columns, rows, t.nothing);
}

function sitesTable(report: ReportContent, figures: readonly Column<Figures>[], t: Texts, words: Words): PdfTable {
  const columns: Column<ReportContent['site_stats'][number]>[] = [
    { column: { title: t.site, share: 4 }, text: ({ name }) => name },
    { column: atEnd(t.devices, 1.4), text: (row) => words.count(row.devices_count) },
    ...figures,
  ];
  return tableOf(t.sites, columns, report.site_stats, t.nothing);
}

function collectedTable(report: ReportContent, t: Texts, words: Words): PdfTable {
  const columns: Column<ReportContent['variable_stats'][number]>[] = [
    { column: { title: t.variable, share: 4 }, text: ({ label }) => label },
    { column: atEnd(t.average, 1.4), text: ({ average }) => words.number(average, 2) },
    { column: atEnd(t.lowest, 1.4), text: ({ lowest }) => words.number(lowest, 2) },
    { column: atEnd(t.highest, 1.4), text: ({ highest }) => words.number(highest, 2) },
    { column: atEnd(t.devices, 1), text: (row) => words.count(row.devices_count) },
  ];
  return tableOf(t.collected, columns, report.variable_stats, t.nothing);
}

function auditTable(report: ReportContent, t: Texts, words: Words): PdfTable {
  const columns: Column<ReportContent['audit_stats'][number]>[] = [
    { column: { title: t.action, share: 4 }, text: ({ action }) => action },
    { column: atEnd(t.times, 1), text: ({ count }) => words.count(count) },
    { column: atEnd(t.people, 1), text: ({ people }) => words.count(people) },
  ];
  return tableOf(t.audit, columns, report.audit_stats, t.nothing);
}

/** A report as it is printed, in a language; days are in UTC. */
export function reportDocument(report: ReportContent, language: Language, madeAt: number): PdfDocument {
  const t = texts[language];
  const words = wordsIn(language, t);
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const has = (name: Parameter): boolean => report.parameters.includes(name);
  const isAsked = ({ of }: Part): boolean => of === undefined || has(of);
  const ofSites = [...measuredColumns(t, words), ...countedColumns(t, words)].filter(isAsked);
  const devices = tableOf(t.devices, deviceColumns(report, t, words).filter(isAsked), report.devices.slice(0, MOST_ROWS), t.nothing);
  const most = report.devices_count > MOST_ROWS ? { note: fill(t.most, { count: words.count(MOST_ROWS) }) } : {};
  return {
    language,
    title: report.name,
    subtitle: `${report.company_name} · ${day.format(Date.parse(report.start_date))} – ${day.format(Date.parse(report.end_date))}`,
    facts: factsOf(report, t, words)
      .filter(isAsked)
      .map(({ label, value }) => ({ label, value })),
    tables: [
      ...(has('operator') ? [valuesTable(t.operator, report.operator_stats, t, words)] : []),
      ...(has('connection_type') ? [valuesTable(t.connection_type, report.connection_type_stats, t, words)] : []),
      ...(has('firmware') ? [valuesTable(t.firmware, report.firmware_stats, t, words)] : []),
      ...(report.site_stats.length > 0 && ofSites.length > 0 ? [sitesTable(report, ofSites, t, words)] : []),
      ...(report.variable_stats.length > 0 ? [collectedTable(report, t, words)] : []),
      ...(has('audit') ? [auditTable(report, t, words)] : []),
      { ...devices, ...most },
    ],
    footer: fill(t.footer, { date: new Date(madeAt).toISOString().slice(0, 16).replace('T', ' ') }),
    madeAt,
  };
}
