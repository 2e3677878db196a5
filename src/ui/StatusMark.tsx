import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './StatusMark.module.css';

/** good: filled dot · bad: red ring · warn: square · idle: grey ring · info: accent dot. The shape tells what the colour tells. */
export type StatusKind = 'good' | 'bad' | 'warn' | 'idle' | 'info';

/** A state: mark, word and colour together. */
export function StatusMark({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  return (
    <span className={styles.status}>
      <span aria-hidden="true" className={cx(styles.mark, styles[kind])} />
      <span className={styles.word}>{children}</span>
    </span>
  );
}
