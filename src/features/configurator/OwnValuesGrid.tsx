import { useId, useState } from 'react';
import { typedValue } from '../../../schemas/kit/devices/configuration-template.ts';
import { isEntryList, plainOptions } from '../../../schemas/kit/devices/entry-lists.ts';
import type { ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { Banner, Button, FileButton, PasswordInput, readCsv, saveCsv, Select, SmallTable, TextInput } from '../../ui/index.ts';
import styles from './configurator.module.css';
import { fillOption, readUniqueValues, uniqueValuesTable, type OwnValues, type UniqueFault } from './unique-values.ts';
import { plain, type devicesWith } from './values.ts';

type Row = ReturnType<typeof devicesWith>[number];

interface OwnValuesGridProps {
  section: ConfigSection;
  rows: Row[];
  own: OwnValues;
  onChange: (own: OwnValues) => void;
}

const SAMPLE_PATTERN = '{name}-{number}';
const FAULTS_SHOWN = 10;
// Each row has a field for each option.
const ROWS_SHOWN = 25;

/** Values for single devices: a row per device and a column per option, typed in, filled by a pattern, or from a CSV file. */
export function OwnValuesGrid({ section, rows, own, onChange }: OwnValuesGridProps) {
  const t = useT();
  const [turn, setTurn] = useState(0);
  const [faults, setFaults] = useState<UniqueFault[]>();
  const [failure, setFailure] = useState('');
  // What comes from elsewhere than the keyboard is put into fields that keep their own text.
  const replace = (next: OwnValues): void => {
    onChange(next);
    setTurn(turn + 1);
  };
  const readFile = async (file: File): Promise<void> => {
    const read = await readCsv(file);
    setFaults(undefined);
    if ('fault' in read) {
      setFailure(t('configurator.unique.unreadable'));
      return;
    }
    setFailure('');
    const found = readUniqueValues(section, rows, read.lines);
    setFaults(found.faults);
    replace({ ...own, ...found.own });
  };
  const count = Object.values(own).filter((values) => Object.keys(values).length > 0).length;
  return (
    <div className={styles.values}>
      <p className={styles.muted}>{t('configurator.unique.lead')}</p>
      <div className={styles.tools}>
        <FileButton label={t('configurator.unique.file')} accept=".csv,text/csv" onFile={(file) => void readFile(file)}>
          {t('configurator.unique.import')}
        </FileButton>
        <Button icon="download" onClick={() => void saveCsv(uniqueValuesTable(section, rows), section.id.replaceAll('/', '-'))}>
          {t('configurator.unique.export')}
        </Button>
        {count > 0 ? (
          <Button variant="ghost" onClick={() => replace({})}>
            {t('configurator.unique.clear', { count })}
          </Button>
        ) : null}
      </div>
      <Fill section={section} onFill={(option, pattern) => replace(fillOption(section, rows, { option, pattern, own }))} />
      {failure ? <Banner kind="bad">{failure}</Banner> : null}
      {faults ? <Faults faults={faults} count={count} /> : null}
      <Grid key={turn} section={section} rows={rows} own={own} onChange={onChange} />
    </div>
  );
}

function Faults({ faults, count }: { faults: UniqueFault[]; count: number }) {
  const t = useT();
  if (faults.length === 0) return <Banner kind="good">{t('configurator.unique.taken', { count })}</Banner>;
  return (
    <Banner kind="warn">
      <p>{t('configurator.unique.left_out', { count: faults.length })}</p>
      <ul>
        {faults.slice(0, FAULTS_SHOWN).map(({ line, fault, name }) => (
          <li key={`${line} ${fault} ${name}`}>{t(`configurator.unique.fault.${fault}`, { line, name: name.slice(0, 64) })}</li>
        ))}
      </ul>
      {faults.length > FAULTS_SHOWN ? <p>{t('configurator.more', { count: faults.length - FAULTS_SHOWN })}</p> : null}
    </Banner>
  );
}

function Fill({ section, onFill }: { section: ConfigSection; onFill: (option: string, pattern: string) => void }) {
  const t = useT();
  const text = useText();
  const id = useId();
  const options = plainOptions(section);
  const [option, setOption] = useState(options[0] ?? '');
  const [pattern, setPattern] = useState('');
  return (
    <div className={styles.row}>
      <div className={styles.field}>
        <label htmlFor={`${id}-option`}>{t('configurator.unique.fill')}</label>
        <Select
          id={`${id}-option`}
          value={option}
          choices={options.map((key) => ({ value: key, label: text(section.labels[key]) || key }))}
          onChange={setOption}
        />
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-pattern`}>{t('configurator.unique.pattern')}</label>
        <TextInput
          id={`${id}-pattern`}
          value={pattern}
          maxLength={255}
          placeholder={SAMPLE_PATTERN}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => setPattern(currentTarget.value)}
        />
      </div>
      <Button disabled={pattern === ''} onClick={() => onFill(option, pattern)}>
        {t('configurator.unique.fill_in')}
      </Button>
      <p id={`${id}-hint`} className={styles.hint}>
        {t('configurator.unique.pattern_hint', { names: '{name}, {serial}, {mac}, {number}' })}
      </p>
    </div>
  );
}

function Grid({ section, rows, own, onChange }: OwnValuesGridProps) {
  const t = useT();
  const text = useText();
  const [shown, setShown] = useState(ROWS_SHOWN);
  const labelOf = (option: string): string => text(section.labels[option]) || option;
  const cellOf = (option: string, { device, values }: Row) => {
    if (isEntryList(section, option)) return <span className={styles.entries}>{plain(values[option])}</span>;
    const isSecret = section.secrets.includes(option);
    const mine = own[device.id];
    const value = (mine && Object.hasOwn(mine, option) ? mine[option] : values[option]) ?? undefined;
    const Field = isSecret ? PasswordInput : TextInput;
    return (
      <Field
        aria-label={`${device.name} ${labelOf(option)}`}
        defaultValue={value === undefined ? '' : plain(value)}
        {...(isSecret ? { placeholder: t('configurator.unique.kept'), autoComplete: 'new-password' } : {})}
        onChange={({ currentTarget }) =>
          onChange({ ...own, [device.id]: { ...own[device.id], [option]: typedValue(section, option, currentTarget.value) } })
        }
      />
    );
  };
  return (
    <div className={styles.scroll}>
      <SmallTable
        className={styles.grid}
        label={t('configurator.side_by_side')}
        rows={rows.slice(0, shown)}
        keyOf={({ device }) => device.id}
        hasRowNames
        columns={[
          { key: ' name', title: t('fields.name'), render: ({ device }) => device.name },
          ...Object.keys(section.schema.properties).map((option) => ({
            key: option,
            title: labelOf(option),
            render: (row: Row) => cellOf(option, row),
          })),
        ]}
      />
      {rows.length > shown ? (
        <Button variant="link" onClick={() => setShown(shown + ROWS_SHOWN)}>
          {t('configurator.unique.more', { count: rows.length - shown })}
        </Button>
      ) : null}
    </div>
  );
}
