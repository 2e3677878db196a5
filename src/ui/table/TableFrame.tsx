import type { MouseEvent, ReactNode, Ref } from 'react';
import { useNavigate } from 'react-router';
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
  const openPage = useOpenPage();
  const isFixed = widths.every((px) => px !== undefined);
  const totalPx = isFixed ? widths.reduce<number>((sum, px) => sum + (px ?? 0), 0) : undefined;
  return (
    <div className={styles.frame}>
      <div className={styles.progress} data-busy={isBusy || undefined} aria-hidden="true" />
      {/* Focusable, because a region that scrolls must be reachable without a mouse. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={ref} className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
        {/* The links in it take keys and clicks themselves; here only the way they go is chosen. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
        <table onClick={openPage} className={styles.table} data-density={density} aria-busy={isBusy} style={{ width: totalPx }}>
          <caption className="visually-hidden">{label}</caption>
          <colgroup>
            {widths.map((px, index) => (
              // Columns are distinguished by their position alone: they hold nothing but a width.
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

/**
 * Goes to the page of a link without loading the console again. One handler for the table: a router link in every row would be drawn again with
 * every change of the address.
 */
function useOpenPage(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-page-link]') : null;
    const isForBrowser = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || isForBrowser || event.defaultPrevented) return;
    event.preventDefault();
    void navigate(link.getAttribute('href') ?? '');
  };
}
