import type { DragEvent, ReactNode, Ref } from 'react';
import { Checkbox } from '../Checkbox.tsx';
import { Icon } from '../Icon.tsx';
import styles from './ListPage.module.css';

/** The columns of a list in a panel, in their order. */
export function ColumnList({ ref, children }: { ref?: Ref<HTMLUListElement>; children: ReactNode }) {
  return (
    <ul ref={ref} className={styles.columns}>
      {children}
    </ul>
  );
}

export interface ColumnItemProps {
  columnKey: string;
  name: string;
  isVisible: boolean;
  /** It can't be hidden. */
  isFixed: boolean;
  isDragged: boolean;
  onVisible: (isVisible: boolean) => void;
  onDrag: (isDragged: boolean) => void;
  onDrop: () => void;
  /** Buttons, and what they open. */
  children: ReactNode;
}

/** One column: ticked when it is shown, and dragged to another place. */
export function ColumnItem({ columnKey, name, isVisible, isFixed, isDragged, onVisible, onDrag, onDrop, children }: ColumnItemProps) {
  function handleDrop(event: DragEvent): void {
    event.preventDefault();
    onDrop();
  }
  return (
    // Dragging is the shorter way only: buttons do the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className={styles.column}
      data-column={columnKey}
      data-dragged={isDragged || undefined}
      draggable
      onDragStart={() => onDrag(true)}
      onDragEnd={() => onDrag(false)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={handleDrop}
    >
      <Icon name="grip-vertical" size={14} className={styles.grip} />
      <Checkbox className={styles.columnName} checked={isVisible} disabled={isFixed} onChange={(event) => onVisible(event.target.checked)}>
        {name}
      </Checkbox>
      {children}
    </li>
  );
}

/** Labels and controls of one column, two by two. */
export function ColumnOptionGrid({ children }: { children: ReactNode }) {
  return <div className={styles.columnOptions}>{children}</div>;
}

export interface WidthSliderProps {
  label: string;
  /** The value in words. */
  text: string;
  min: number;
  max: number;
  step: number;
  value: number;
  onChange: (px: number) => void;
  /** The button that resets it. */
  children: ReactNode;
}

/** A width in pixels. */
export function WidthSlider({ label, text, onChange, children, ...range }: WidthSliderProps) {
  return (
    <span className={styles.columnWidth}>
      <input type="range" aria-label={label} aria-valuetext={text} {...range} onChange={(event) => onChange(event.target.valueAsNumber)} />
      <output>{text}</output>
      {children}
    </span>
  );
}
