import type { ReactNode, Ref, SelectHTMLAttributes } from 'react';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';
import styles from './NativeSelect.module.css';

interface NativeSelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  ref?: Ref<HTMLSelectElement>;
  /** `<option>`s. */
  children: ReactNode;
}

/** The system's own list in the console's frame: for short and plain choices, and for very long ones. */
export function NativeSelect({ className, children, ...rest }: NativeSelectProps) {
  return (
    <span className={cx(styles.frame, className)}>
      <select {...rest} className={styles.select}>
        {children}
      </select>
      <Icon name="chevron-down" size={14} className={styles.arrow} />
    </span>
  );
}
