import type { ReactNode, Ref } from 'react';
import './table.css';

export interface TableFrameProps {
  /** Names the table and its scrolling region. */
  label: string;
  density: 'comfortable' | 'compact';
  /** Newer rows are on their way; the old ones stay. */
  busy: boolean;
  /** Pixels under which the table scrolls sideways instead of shrinking. */
  minWidth: number;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A real table in a region that scrolls and can be focused, with a thin line of progress on top. */
export function TableFrame({ label, density, busy, minWidth, ref, children }: TableFrameProps) {
  return (
    <div className="table-frame">
      <div className="table-progress" data-busy={busy || undefined} aria-hidden />
      {/* Focusable, because a region that scrolls must be reachable without a mouse. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={ref} className="table-scroll" role="region" aria-label={label} tabIndex={0}>
        <table className="table" data-density={density} aria-busy={busy} style={{ minInlineSize: minWidth }}>
          <caption className="visually-hidden">{label}</caption>
          {children}
        </table>
      </div>
    </div>
  );
}
