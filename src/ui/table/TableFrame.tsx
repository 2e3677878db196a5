import type { ReactNode, Ref } from 'react';
import styles from './Table.module.css';

export interface TableFrameProps {
  /** Names the table and its scrolling region. */
  label: string;
  density: 'compact' | 'middle' | 'comfortable';
  /** Newer rows are on their way; the old ones stay. */
  isBusy: boolean;
  /** Pixels of each column from left to right; `undefined`: what is left. */
  widths: readonly (number | undefined)[];
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A real table in a region that scrolls and can be focused, with a thin line of progress on top. */
export function TableFrame({ label, density, isBusy, widths, ref, children }: TableFrameProps) {
  const isFixed = widths.every((px) => px !== undefined);
  const totalPx = isFixed ? widths.reduce<number>((sum, px) => sum + (px ?? 0), 0) : undefined;
  return (
    <div className={styles.frame}>
      <div className={styles.progress} data-busy={isBusy || undefined} aria-hidden="true" />
      {/* Focusable, because a region that scrolls must be reachable without a mouse. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={ref} className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
        <table className={styles.table} data-density={density} aria-busy={isBusy} style={{ width: totalPx }}>
          <caption className="visually-hidden">{label}</caption>
          <colgroup>
            {widths.map((px, index) => (
              // Columns are told apart by their place alone: they hold nothing but a width.
              // oxlint-disable-next-line react/no-array-index-key
              <col key={index} style={{ inlineSize: px }} />
            ))}
          </colgroup>
          {children}
        </table>
      </div>
    </div>
  );
}
