import { useT } from '../../kernel/i18n/index.ts';
import { plainOutput } from './plain-output.ts';
import styles from './jobs.module.css';

/** What a command printed; says so when it was cut. */
export function OutputText({ label, text, isCut, id }: { label: string; text: string; isCut: boolean; id?: string }) {
  const t = useT();
  return (
    <div id={id} className={styles.output}>
      {/* Scrolls by itself, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {plainOutput(text)}
      </pre>
      {isCut ? <p>{t('jobs.output_cut')}</p> : null}
    </div>
  );
}
