import { useRef, type ReactNode } from 'react';
import { countBadge } from './count-badge.ts';
import styles from './HeaderPopover.module.css';
import { IconButton } from './IconButton.tsx';
import type { IconName } from './icons.ts';
import { Popover } from './Popover.tsx';

interface HeaderPopoverProps {
  icon: IconName;
  /** What the panel is, and its heading. */
  title: string;
  /** The button's name; it says the number as well. */
  label: string;
  /** How many are new; above 10 it reads `10+`, with 0 there is no number. */
  count: number;
  isOpen: boolean;
  onOpen(): void;
  onClose(): void;
  children: ReactNode;
}

/** A button of the header with a number on it, and the panel that it opens. */
export function HeaderPopover({ icon, title, label, count, isOpen, onOpen, onClose, children }: HeaderPopoverProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <span className={styles.place}>
      <IconButton
        ref={button}
        icon={icon}
        label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={isOpen ? onClose : onOpen}
      />
      {count > 0 ? (
        <span aria-hidden="true" className={styles.badge}>
          {countBadge(count)}
        </span>
      ) : null}
      <Popover anchor={button} isOpen={isOpen} onClose={onClose} label={title} placement="bottom-end">
        <div className={styles.panel}>
          <h2 className={styles.head}>{title}</h2>
          {children}
        </div>
      </Popover>
    </span>
  );
}
