import type { ReactNode, Ref } from 'react';
import { Icon } from '../Icon.tsx';
import styles from './Bars.module.css';

export interface FilterChipProps {
  label: string;
  /** What is chosen, in words: "Nordic Fleet", "is not 07.14.2", "any". */
  value: ReactNode;
  /** Nothing is chosen: the chip is a quiet offer and cannot be removed. */
  isEmpty?: boolean;
  removeLabel: string;
  isOpen: boolean;
  ref?: Ref<HTMLButtonElement>;
  onOpen(): void;
  onRemove(): void;
}

/** One filter of the bar: its name and value open the editor, the cross takes it away. */
export function FilterChip({ label, value, isEmpty = false, removeLabel, isOpen, ref, onOpen, onRemove }: FilterChipProps) {
  return (
    <span className={styles.chip} data-empty={isEmpty || undefined}>
      <button ref={ref} type="button" className={styles.chipOpen} aria-haspopup="dialog" aria-expanded={isOpen} onClick={onOpen}>
        <span className={styles.chipName}>{label}</span> <strong className={styles.chipValue}>{value}</strong>
        {isEmpty ? <Icon name="chevron-down" size={13} className={styles.chipMark} /> : null}
      </button>
      {isEmpty ? null : (
        <button type="button" className={styles.chipRemove} aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
          <Icon name="x" size={13} />
        </button>
      )}
    </span>
  );
}
