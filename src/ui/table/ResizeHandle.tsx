import type { MouseEvent, TouchEvent } from 'react';
import styles from './Table.module.css';

export interface ResizeHandleProps {
  /** Begins to size the column; follows the pointer by itself. */
  onStart: (event: MouseEvent | TouchEvent) => void;
  /** Back to the width that the column has by itself. */
  onReset: () => void;
}

/** The edge of a column's head that a pointer drags; a double click resets it. The column chooser does the same by keyboard. */
export function ResizeHandle({ onStart, onReset }: ResizeHandleProps) {
  function handleDown(event: MouseEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    onStart(event);
  }
  return <span className={styles.resize} aria-hidden="true" onMouseDown={handleDown} onTouchStart={onStart} onDoubleClick={onReset} />;
}
