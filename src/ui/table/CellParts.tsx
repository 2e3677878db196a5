import type { ReactNode } from 'react';
import styles from './Cells.module.css';

/** Quiet text in a cell. */
export function Muted({ children }: { children: ReactNode }) {
  return <span className={styles.muted}>{children}</span>;
}

/** A value that people compare letter by letter. */
export function Code({ children }: { children: ReactNode }) {
  return <code className={styles.code}>{children}</code>;
}

/** Tags in one line; `more` says how many did not fit and which. */
export function TagLine({ more, children }: { more: { text: string; names: string } | undefined; children: ReactNode }) {
  return (
    <span className={styles.tags}>
      {children}
      {more ? (
        <span className={styles.more} title={more.names}>
          {more.text}
        </span>
      ) : null}
    </span>
  );
}
