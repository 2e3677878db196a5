import { useEffect, useRef, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../Button.tsx';
import { MAX_CSV_LINES, readCsv } from './read-csv.ts';
import styles from './csv.module.css';
import type { CsvFault, CsvLine } from './read-csv.ts';

/** What the lines of a file would add. */
export interface CsvVerdict<V> {
  values: V[];
  /** The values as they will be, one row each. */
  rows: string[][];
  problems: { line: number; message: string }[];
}

export interface CsvImportProps<V> {
  /** Headings of the preview's columns; none for a list of single values. */
  columns?: readonly string[];
  disabled?: boolean;
  judge: (lines: readonly CsvLine[]) => CsvVerdict<V>;
  onAdd: (values: V[]) => void;
}

type State<V> =
  | { step: 'idle' }
  | { step: 'reading' }
  | { step: 'fault'; fault: CsvFault }
  | { step: 'preview'; name: string; verdict: CsvVerdict<V>; isCut: boolean };

const SHOWN = 5;
const SHOWN_PROBLEMS = 10;

/** A button that reads a CSV file, shows what it would add and what is wrong line by line, and adds it on confirmation. */
export function CsvImport<V>({ columns, disabled, judge, onAdd }: CsvImportProps<V>) {
  const t = useT();
  const chooser = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<State<V>>({ step: 'idle' });

  async function handleFile(file: File | undefined): Promise<void> {
    if (!file) return;
    setState({ step: 'reading' });
    const read = await readCsv(file);
    if ('fault' in read) setState({ step: 'fault', fault: read.fault });
    else setState({ step: 'preview', name: file.name, verdict: judge(read.lines), isCut: read.isCut });
  }

  function close(): void {
    setState({ step: 'idle' });
    opener.current?.focus();
  }

  return (
    <div className={styles.csv}>
      <input
        ref={chooser}
        type="file"
        accept=".csv,text/csv"
        hidden
        onChange={(event) => {
          void handleFile(event.target.files?.[0]);
          // The same file may be chosen again once it was corrected.
          event.target.value = '';
        }}
      />
      <Button
        ref={opener}
        size="small"
        icon="file"
        disabled={disabled}
        isBusy={state.step === 'reading'}
        onClick={() => chooser.current?.click()}
      >
        {t('form.csv.upload')}
      </Button>
      {state.step === 'fault' ? (
        <p role="alert" className={styles.fault}>
          {t(`form.csv.${state.fault}`)}
        </p>
      ) : null}
      {state.step === 'preview' ? (
        <Preview
          {...state}
          columns={columns}
          onCancel={close}
          onAdd={() => {
            onAdd(state.verdict.values);
            close();
          }}
        />
      ) : null}
    </div>
  );
}

interface PreviewProps {
  name: string;
  verdict: CsvVerdict<unknown>;
  isCut: boolean;
  columns?: readonly string[];
  onAdd: () => void;
  onCancel: () => void;
}

function Preview({ name, verdict, isCut, columns, onAdd, onCancel }: PreviewProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const { values, rows, problems } = verdict;
  return (
    <div ref={box} role="group" tabIndex={-1} aria-label={t('form.csv.preview', { name })} className={styles.preview}>
      <p className={styles.name}>{name}</p>
      {rows.length > 0 ? (
        <div className={styles.scroll}>
          <table className={styles.rows}>
            {columns ? (
              <thead>
                <tr>
                  {columns.map((title) => (
                    <th key={title}>{title}</th>
                  ))}
                </tr>
              </thead>
            ) : null}
            <tbody>
              {rows.slice(0, SHOWN).map((cells, row) => (
                // oxlint-disable-next-line react/no-array-index-key -- rows of a file have no other name
                <tr key={row}>
                  {cells.map((cell, column) => (
                    // oxlint-disable-next-line react/no-array-index-key
                    <td key={column}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {rows.length > SHOWN ? <p className={styles.more}>{t('form.csv.more', { count: rows.length - SHOWN })}</p> : null}
      {isCut ? <p className={styles.fault}>{t('form.csv.cut', { count: MAX_CSV_LINES })}</p> : null}
      {problems.length > 0 ? (
        <>
          <p className={styles.fault}>{t('form.csv.problems', { count: problems.length })}</p>
          <ul className={styles.problems}>
            {problems.slice(0, SHOWN_PROBLEMS).map(({ line, message }) => (
              <li key={`${line} ${message}`}>{t('form.csv.line', { line, message })}</li>
            ))}
          </ul>
          {problems.length > SHOWN_PROBLEMS ? (
            <p className={styles.more}>{t('form.csv.more', { count: problems.length - SHOWN_PROBLEMS })}</p>
          ) : null}
        </>
      ) : null}
      <p className={styles.buttons}>
        {values.length > 0 ? (
          <Button size="small" variant="primary" onClick={onAdd}>
            {t('form.csv.add', { count: values.length })}
          </Button>
        ) : (
          <span>{t('form.csv.nothing')}</span>
        )}
        <Button size="small" onClick={onCancel}>
          {t('dialogs.cancel')}
        </Button>
      </p>
    </div>
  );
}
