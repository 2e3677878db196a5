import { useEffect, useRef, type InputHTMLAttributes, type ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Checkbox.module.css';

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'children'> {
  /** Some of what it stands for is chosen. */
  isIndeterminate?: boolean;
  /** Its words; without them give `aria-label`. */
  children?: ReactNode;
}

/** A real checkbox in the console's colours, with at least 24 px to hit. */
export function Checkbox({ isIndeterminate = false, children, className, ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isIndeterminate;
  }, [isIndeterminate]);
  return (
    <label className={cx(styles.label, children === undefined && styles.bare, className)}>
      <input {...rest} ref={input} type="checkbox" className={styles.box} />
      {children !== undefined ? <span>{children}</span> : null}
    </label>
  );
}
