import type { ReactNode, Ref } from 'react';
import styles from './Table.module.css';

export interface TableFrameProps {
  /** Names the table and its scrolling region. */
  label: string;
  density: 'compact' | 'middle' | 'comfortable';
  /** Newer rows are on their way; the old ones stay. */
  isBusy: boolean;
  /** CSS length under which the table scrolls sideways instead of shrinking; `100cqi` in it is the width that there is. */
  minWidth?: string | undefined;
  /** The same length when nothing in the table takes what is left of the region. */
  width?: string | undefined;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A real table in a region that scrolls and can be focused, with a thin line of progress on top. */
export function TableFrame({ label, density, isBusy, minWidth, width, ref, children }: TableFrameProps) {
  return (
    <div className={styles.frame}>
      <div className={styles.progress} data-busy={isBusy || undefined} aria-hidden="true" />
      {/* Focusable, because a region that scrolls must be reachable without a mouse. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={ref} className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
        <table className={styles.table} data-density={density} aria-busy={isBusy} style={{ minWidth, width }}>
          <caption className="visually-hidden">{label}</caption>
          {children}
        </table>
      </div>
    </div>
  );
}
