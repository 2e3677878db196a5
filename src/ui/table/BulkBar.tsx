import type { ReactNode } from 'react';

export interface BulkBarProps {
  label: string;
  /** The count, "select all that match" and "clear". */
  summary: ReactNode;
  children: ReactNode;
}

/** What can be done with the chosen rows. It slides over the foot of the table, so that nothing moves. */
export function BulkBar({ label, summary, children }: BulkBarProps) {
  return (
    <div className="bulk-bar" role="region" aria-label={label}>
      <div className="bulk-summary">{summary}</div>
      <div className="bulk-actions">{children}</div>
    </div>
  );
}
