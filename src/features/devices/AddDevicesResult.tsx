import { useInvalidate } from '@refinedev/core';
import { useId, useState } from 'react';
import { CUSTOM_PREFIX, type CustomField, type CustomValues } from '../../../schemas/kit/devices/custom-fields.ts';
import { readCustomText } from '../../../schemas/kit/devices/custom-text.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import type { ResultViewProps } from '../../engine/form/index.ts';
import { ApiError, itemMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, ErrorState, saveCsv, SmallTable, TextInput } from '../../ui/index.ts';
import styles from './devices.module.css';

const FIELDS = ['serial', 'mac', 'imei', 'name', 'device_series'] as const;
type Field = (typeof FIELDS)[number];
type NewDevice = { company_id: number; custom?: CustomValues } & Partial<Record<Field | 'password_confirmation', string>>;
type Fault = ApiError['items'][number];

interface Line {
  /** In what was sent, from 0. */
  line: number;
  device: NewDevice;
  /** What its cells hold, by field: `serial`, `custom.asset`. */
  texts: Readonly<Record<string, string>>;
  faults: Readonly<Record<string, Fault>>;
}

/** A column: a field of devices, or a custom one of their company. */
interface Column {
  key: string;
  title: string;
}

interface Preview {
  rows: NewDevice[];
  good: number[];
  faults: Fault[];
  /** The custom fields of the company. */
  fields: CustomField[];
}

/** So many lines can be corrected here; a longer list is better corrected in its file. */
const SHOWN = 50;
// `data.3.serial`, `data.3.custom.asset`
const PLACE = /^data\.(\d+)\.((?:custom\.)?\w+)$/;

function textsOf({ custom = {}, ...device }: NewDevice): Record<string, string> {
  const own = FIELDS.map((field) => [field, device[field] ?? ''] as const);
  return Object.fromEntries([...own, ...Object.entries(custom).map(([name, value]) => [CUSTOM_PREFIX + name, String(value)] as const)]);
}

/** The device of a line as its cells say now. */
function deviceOf({ device, texts }: Line, fields: readonly CustomField[]): NewDevice {
  const values = fields.flatMap((field) => {
    const value = readCustomText(field, texts[CUSTOM_PREFIX + field.name] ?? '');
    return value === undefined ? [] : [[field.name, value] as const];
  });
  const own = Object.fromEntries(FIELDS.map((field) => [field, texts[field] ?? '']));
  return { ...device, ...own, ...(fields.length > 0 ? { custom: Object.fromEntries(values) } : {}) };
}

/** Lines with what is wrong with them; a fault of a field without a cell is at the serial number. */
function withFaults(lines: readonly Omit<Line, 'faults'>[], faults: readonly Fault[], fields: readonly CustomField[]): Line[] {
  const known = new Set<string>([...FIELDS, ...fields.map(({ name }) => CUSTOM_PREFIX + name)]);
  const byLine = new Map<number, Record<string, Fault>>();
  for (const fault of faults) {
    const [, index, name = ''] = PLACE.exec(fault.source ?? '') ?? [];
    const found = byLine.get(Number(index)) ?? {};
    found[known.has(name) ? name : 'serial'] ??= fault;
    byLine.set(Number(index), found);
  }
  return lines.map((line, index) => ({ ...line, faults: byLine.get(index) ?? {} }));
}

const isFine = ({ faults }: Line): boolean => Object.keys(faults).length === 0;

/** After a file or a list was read: how many devices are right, and the others to be corrected in place, checked again, added or taken along. */
export default function AddDevicesResult({ result, close }: ResultViewProps) {
  const t = useT();
  // The answer of this form's route.
  const preview = result.data as unknown as Preview;
  const { fields } = preview;
  const [lines, setLines] = useState(() =>
    withFaults(
      preview.rows.map((device, line) => ({ line, device, texts: textsOf(device) })),
      preview.faults,
      fields,
    ),
  );
  const [added, setAdded] = useState(0);
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const invalidate = useInvalidate();
  const fine = lines.filter(isFine);
  const faulty = lines.filter((line) => !isFine(line));

  async function post(sent: readonly Line[], isDryRun: boolean): Promise<Fault[] | undefined> {
    setError(undefined);
    setBusy(true);
    try {
      const payload = { data: sent.map((line) => deviceOf(line, fields)), ...(isDryRun ? { dry_run: true } : {}) };
      return (await dataProvider.custom({ url: '/devices', method: 'post', payload })).errors;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (failure.items.every(({ source }) => PLACE.test(source ?? ''))) return failure.items;
      setError(failure);
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  async function check(): Promise<void> {
    const faults = await post(lines, true);
    if (faults) setLines(withFaults(lines, faults, fields));
  }

  async function add(): Promise<void> {
    const faults = await post(fine, false);
    if (!faults) return;
    const left = withFaults(fine, faults, fields).filter((line) => !isFine(line));
    const count = fine.length - left.length;
    setAdded((former) => former + count);
    setLines([...left, ...faulty].toSorted((a, b) => a.line - b.line));
    void invalidate({ resource: 'devices', invalidates: ['resourceAll'] });
    toasts.success(t('devices.new.added', { count }));
  }

  const change: Change = (line, key, text) =>
    setLines((former) => former.map((one) => (one.line === line.line ? { ...one, texts: { ...one.texts, [key]: text } } : one)));
  const columns: Column[] = [
    ...FIELDS.map((field) => ({ key: field, title: t(`fields.${field}`) })),
    ...fields
      .map(({ name, title }) => ({ key: CUSTOM_PREFIX + name, title }))
      .filter(({ key }) => faulty.some(({ texts, faults }) => texts[key] || faults[key])),
  ];

  return (
    <div className={styles.addMany}>
      {error ? <ErrorState error={error} onRetry={() => void add()} /> : null}
      {added > 0 ? (
        <Banner kind="info" title={t('devices.new.added', { count: added })}>
          {t('devices.new.next')}
        </Banner>
      ) : null}
      <p role="status">
        {t('devices.new.right', { count: fine.length })}
        {faulty.length > 0 ? ` ${t('devices.new.wrong', { count: faulty.length })}` : ''}
      </p>
      {faulty.length > 0 ? <FaultyLines lines={faulty.slice(0, SHOWN)} columns={columns} onChange={change} /> : null}
      {faulty.length > SHOWN ? <p className={styles.muted}>{t('devices.new.more', { count: faulty.length - SHOWN })}</p> : null}
      <div className={styles.addManyEnd}>
        <Button onClick={close}>{t(added > 0 ? 'devices.enrolment.done' : 'dialogs.cancel')}</Button>
        {faulty.length > 0 ? (
          <>
            <Button icon="download" onClick={() => void saveFaulty(faulty, fields)}>
              {t('devices.new.save', { count: faulty.length })}
            </Button>
            <Button isBusy={isBusy} onClick={() => void check()}>
              {t('devices.new.check')}
            </Button>
          </>
        ) : null}
        {fine.length > 0 ? (
          <Button variant="primary" isBusy={isBusy} onClick={() => void add()}>
            {t('devices.new.add', { count: fine.length })}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function saveFaulty(lines: readonly Line[], fields: readonly CustomField[]): Promise<void> {
  const custom = fields.map(({ name }) => CUSTOM_PREFIX + name);
  const head = [...FIELDS, 'password_confirmation', ...custom, 'fault'];
  const rows = lines.map(({ device, texts, faults }) => [
    ...FIELDS.map((field) => texts[field] ?? ''),
    device.password_confirmation ?? '',
    ...custom.map((key) => texts[key] ?? ''),
    Object.values(faults)
      .map((fault) => itemMessage(fault))
      .join(' '),
  ]);
  return saveCsv([head, ...rows], 'devices');
}

type Change = (line: Line, key: string, text: string) => void;

function FaultyLines({ lines, columns, onChange }: { lines: readonly Line[]; columns: readonly Column[]; onChange: Change }) {
  const t = useT();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keys
    <div className={styles.addManyTable} tabIndex={0} role="region" aria-label={t('devices.new.faults')}>
      <SmallTable
        label={t('devices.new.faults')}
        keyOf={({ line }) => line}
        rows={lines}
        columns={[
          { key: 'line', title: t('devices.new.line'), render: ({ line }) => line + 1 },
          ...columns.map((column) => ({
            key: column.key,
            title: column.title,
            render: (line: Line) => <Cell line={line} column={column} onChange={onChange} />,
          })),
        ]}
      />
    </div>
  );
}

function Cell({ line, column: { key, title }, onChange }: { line: Line; column: Column; onChange: Change }) {
  const t = useT();
  const id = useId();
  const fault = line.faults[key];
  return (
    <>
      <TextInput
        aria-label={t('devices.new.cell', { field: title, line: line.line + 1 })}
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? id : undefined}
        isInvalid={fault !== undefined}
        value={line.texts[key] ?? ''}
        onChange={(event) => onChange(line, key, event.target.value)}
      />
      {fault ? (
        <span id={id} className={styles.cellFault}>
          {itemMessage(fault, t)}
        </span>
      ) : null}
    </>
  );
}
