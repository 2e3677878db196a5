import { useEffect, type ReactNode } from 'react';
import { toasts } from '../../kernel/toasts/index.ts';
import styles from './Bars.module.css';

export interface BulkBarProps {
  label: string;
  /** The count, "select all that match" and "clear". */
  summary: ReactNode;
  /** The buttons. */
  children: ReactNode;
}

/** What can be done with the chosen rows. It slides over the foot of the table, so that nothing moves. */
export function BulkBar({ label, summary, children }: BulkBarProps) {
  useEffect(() => toasts.keepLowerEdgeFree(), []);
  return (
    <div className={styles.bulk} role="region" aria-label={label}>
      <div className={styles.bulkSummary}>{summary}</div>
      <div className={styles.bulkActions}>{children}</div>
    </div>
  );
}
