import { useRef, type PointerEvent } from 'react';
import styles from './Table.module.css';

export interface ResizeHandleProps {
  /** The width asked for so far, in pixels; `isDone` when the pointer lets go. */
  onSize(px: number, isDone: boolean): void;
  /** Back to the width that the column has by itself. */
  onReset(): void;
}

/** The edge of a column's head that a pointer drags; a double click takes it back. The column chooser does the same by keyboard. */
export function ResizeHandle({ onSize, onReset }: ResizeHandleProps) {
  const start = useRef<number | undefined>(undefined);
  function handleDown(event: PointerEvent<HTMLElement>): void {
    const head = event.currentTarget.parentElement;
    if (event.button !== 0 || !head) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = event.clientX - head.offsetWidth;
  }
  function size(event: PointerEvent, isDone: boolean): void {
    if (start.current !== undefined) onSize(event.clientX - start.current, isDone);
  }
  function handleEnd(event: PointerEvent): void {
    size(event, true);
    start.current = undefined;
  }
  return (
    <span
      className={styles.resize}
      aria-hidden="true"
      onPointerDown={handleDown}
      onPointerMove={(event) => size(event, false)}
      onPointerUp={handleEnd}
      onPointerCancel={handleEnd}
      onDoubleClick={onReset}
    />
  );
}
