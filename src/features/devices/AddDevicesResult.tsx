import { useInvalidate } from '@refinedev/core';
import { useId, useState } from 'react';
import { dataProvider } from '../../engine/data/data-provider.ts';
import type { ResultViewProps } from '../../engine/form/index.ts';
import { ApiError, itemMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, ErrorState, saveCsv, SmallTable, TextInput } from '../../ui/index.ts';
import styles from './devices.module.css';

const FIELDS = ['serial', 'mac', 'imei', 'name', 'device_series'] as const;
type Field = (typeof FIELDS)[number];
type NewDevice = { company_id: number } & Partial<Record<Field | 'password_confirmation', string>>;
type Fault = ApiError['items'][number];

interface Line {
  /** In what was sent, from 0. */
  line: number;
  device: NewDevice;
  faults: Partial<Record<Field, Fault>>;
}

interface Preview {
  rows: NewDevice[];
  good: number[];
  faults: Fault[];
}

/** So many lines can be corrected here; a longer list is better corrected in its file. */
const SHOWN = 50;
const PLACE = /^data\.(\d+)\.(\w+)$/;

function linesOf(devices: readonly { line: number; device: NewDevice }[], faults: readonly Fault[]): Line[] {
  const lines = devices.map(({ line, device }): Line => ({ line, device, faults: {} }));
  for (const fault of faults) {
    const [, index, name] = PLACE.exec(fault.source ?? '') ?? [];
    const field = FIELDS.find((one) => one === name) ?? 'serial';
    const line = lines[Number(index)];
    if (line) line.faults[field] ??= fault;
  }
  return lines;
}

const isFine = ({ faults }: Line): boolean => Object.keys(faults).length === 0;

/** After a file or a list was read: how many devices are right, and the others to be corrected in place, checked again, added or taken along. */
export default function AddDevicesResult({ result, close }: ResultViewProps) {
  const t = useT();
  // The answer of this form's route.
  const preview = result.data as unknown as Preview;
  const [lines, setLines] = useState(() =>
    linesOf(
      preview.rows.map((device, line) => ({ line, device })),
      preview.faults,
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
      const payload = { data: sent.map(({ device }) => device), ...(isDryRun ? { dry_run: true } : {}) };
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
    if (faults) setLines(linesOf(lines, faults));
  }

  async function add(): Promise<void> {
    const faults = await post(fine, false);
    if (!faults) return;
    const left = linesOf(fine, faults).filter((line) => !isFine(line));
    const count = fine.length - left.length;
    setAdded((former) => former + count);
    setLines([...left, ...faulty].toSorted((a, b) => a.line - b.line));
    void invalidate({ resource: 'devices', invalidates: ['resourceAll'] });
    toasts.success(t('devices.new.added', { count }));
  }

  const change = (line: Line, field: Field, text: string): void =>
    setLines((former) => former.map((one) => (one.line === line.line ? { ...one, device: { ...one.device, [field]: text } } : one)));

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
      {faulty.length > 0 ? <FaultyLines lines={faulty.slice(0, SHOWN)} onChange={change} /> : null}
      {faulty.length > SHOWN ? <p className={styles.muted}>{t('devices.new.more', { count: faulty.length - SHOWN })}</p> : null}
      <div className={styles.addManyEnd}>
        <Button onClick={close}>{t(added > 0 ? 'devices.enrolment.done' : 'dialogs.cancel')}</Button>
        {faulty.length > 0 ? (
          <>
            <Button icon="download" onClick={() => void saveFaulty(faulty)}>
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

function saveFaulty(lines: readonly Line[]): Promise<void> {
  const head = [...FIELDS, 'password_confirmation', 'fault'];
  const rows = lines.map(({ device, faults }) => [
    ...FIELDS.map((field) => device[field] ?? ''),
    device.password_confirmation ?? '',
    Object.values(faults)
      .map((fault) => itemMessage(fault))
      .join(' '),
  ]);
  return saveCsv([head, ...rows], 'devices');
}

function FaultyLines({ lines, onChange }: { lines: readonly Line[]; onChange: (line: Line, field: Field, text: string) => void }) {
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
          ...FIELDS.map((field) => ({
            key: field,
            title: t(`fields.${field}`),
            render: (line: Line) => <Cell line={line} field={field} onChange={onChange} />,
          })),
        ]}
      />
    </div>
  );
}

function Cell({ line, field, onChange }: { line: Line; field: Field; onChange: (line: Line, field: Field, text: string) => void }) {
  const t = useT();
  const id = useId();
  const fault = line.faults[field];
  return (
    <>
      <TextInput
        aria-label={t('devices.new.cell', { field: t(`fields.${field}`), line: line.line + 1 })}
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? id : undefined}
        isInvalid={fault !== undefined}
        value={line.device[field] ?? ''}
        onChange={(event) => onChange(line, field, event.target.value)}
      />
      {fault ? (
        <span id={id} className={styles.cellFault}>
          {itemMessage(fault, t)}
        </span>
      ) : null}
    </>
  );
}
