import AntdCheckbox, { type CheckboxChangeEvent } from 'antd/es/checkbox/Checkbox';
import type { AriaAttributes, ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Checkbox.module.css';

interface CheckboxProps extends AriaAttributes {
  id?: string;
  checked: boolean;
  disabled?: boolean;
  className?: string;
  /** Some of what it stands for is chosen. */
  isIndeterminate?: boolean;
  'data-autofocus'?: boolean;
  onChange?: (event: CheckboxChangeEvent) => void;
  onBlur?: () => void;
  /** Its words; without them give `aria-label`. */
  children?: ReactNode;
}

/** A real checkbox in the console's colours, with at least 24 px to hit. */
export function Checkbox({ isIndeterminate = false, children, className, ...rest }: CheckboxProps) {
  return (
    <AntdCheckbox {...rest} indeterminate={isIndeterminate} className={cx(styles.label, children === undefined && styles.bare, className)}>
      {children}
    </AntdCheckbox>
  );
}
