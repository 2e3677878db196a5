import type { ResultViewProps } from '../../engine/form/index.ts';
import { itemText } from '../../engine/form/item-text.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import styles from './tags.module.css';

/** After a list of devices was worked through: how many changed, and each line that was left out with its reason. */
export default function CsvResult({ result, close }: ResultViewProps) {
  const t = useT();
  const { lines = 0, changed = 0 } = result.meta;
  const faults = result.errors ?? [];
  return (
    <div className={styles.result}>
      <Banner kind={faults.length > 0 ? 'warn' : 'good'}>
        {t('tags.csv.changed', { count: Number(changed) })} {t('tags.csv.of', { count: Number(lines) })}
        {faults.length > 0 ? ` · ${t('tags.csv.left_out', { count: faults.length })}` : null}
      </Banner>
      {faults.length > 0 ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A long list scrolls, also by keyboard.
        <ul className={styles.faults} tabIndex={0} aria-label={t('tags.csv.left_out', { count: faults.length })}>
          {faults.map((fault) => (
            <li key={fault.source}>{itemText(fault)}</li>
          ))}
        </ul>
      ) : null}
      <div className={styles.end}>
        <Button variant="primary" onClick={close}>
          {t('tags.csv.close')}
        </Button>
      </div>
    </div>
  );
}
