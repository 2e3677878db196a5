import { useLayoutEffect, useRef } from 'react';
import { IconButton } from '../IconButton.tsx';
import type { KeyboardEvent } from 'react';
import styles from './dialog.module.css';

export interface TrayChip {
  key: number;
  title: string;
  /** 0 to 100; no bar when absent. */
  percent?: number;
}

export interface TrayProps {
  chips: readonly TrayChip[];
  label: string;
  closeLabel: (title: string) => string;
  formatPercent: (percent: number) => string;
  onRestore: (key: number) => void;
  onClose: (key: number) => void;
}

/** The minimised windows: a toolbar in the corner, arrow keys move along it. */
export function Tray({ chips, label, closeLabel, formatPercent, onRestore, onClose }: TrayProps) {
  const bar = useRef<HTMLDivElement>(null);

  // Toasts in the same corner are above it.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    if (bar.current) style.setProperty('--tray-height', `${bar.current.offsetHeight + 8}px`);
    return () => void style.removeProperty('--tray-height');
  });

  function handleKeyDown(event: KeyboardEvent): void {
    const step =
      event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || !bar.current) return;
    const buttons = [...bar.current.querySelectorAll('button')];
    const here = buttons.findIndex((button) => button === document.activeElement);
    buttons.at((here + step + buttons.length) % buttons.length)?.focus();
    event.preventDefault();
  }

  if (chips.length === 0) return null;
  return (
    <div ref={bar} className={styles.tray} role="toolbar" tabIndex={-1} data-tray aria-label={label} onKeyDown={handleKeyDown}>
      {chips.map((chip) => (
        <div key={chip.key} className={styles.chip}>
          <button type="button" className={styles.open} onClick={() => onRestore(chip.key)}>
            <span className={styles.chipTitle}>{chip.title}</span>
            {chip.percent === undefined ? null : (
              <>
                <span className={styles.bar} aria-hidden="true">
                  <span className={styles.fill} style={{ width: `${chip.percent}%` }} />
                </span>
                <span className={styles.percent}>{formatPercent(chip.percent)}</span>
              </>
            )}
          </button>
          <IconButton icon="x" size="small" label={closeLabel(chip.title)} onClick={() => onClose(chip.key)} />
        </div>
      ))}
    </div>
  );
}
