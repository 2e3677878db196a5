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

/** What a click is for itself, so that it does not open the record of the row. */
const OWN_CLICKS = 'a, button, input, label, select, textarea, summary, [data-own-clicks]';

/** The name of the row that was clicked beside anything that takes clicks itself, where the name opens the record. */
function nameOfClickedRow({ target, currentTarget }: MouseEvent): HTMLElement | null {
  // Menus and windows of a row are drawn elsewhere, though their clicks come here too.
  if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest(OWN_CLICKS)) return null;
  // Who marks text wants to copy it.
  if (document.getSelection()?.toString()) return null;
  return target.closest('[data-row-id]')?.querySelector<HTMLElement>('a[data-row-focus], button[data-row-focus]') ?? null;
}

/**
 * Goes to the page of a link, or of the row that was clicked, without loading the console again. One handler for the table: a router link in every row
 * would be drawn again with every change of the address.
 */
function useOpenPage(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const isForBrowser = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (isForBrowser || event.defaultPrevented) return;
    const name = nameOfClickedRow(event);
    if (name) return name.click();
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-page-link]') : null;
    if (!link) return;
    event.preventDefault();
    void navigate(link.getAttribute('href') ?? '');
  };
}
