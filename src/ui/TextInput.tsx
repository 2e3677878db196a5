import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import styles from './TextInput.module.css';

export interface TextInputProps extends InputHTMLAttributes<HTMLInputElement> {
  icon?: IconName;
  /** Units, a key hint or small buttons at the end. */
  after?: ReactNode;
  isInvalid?: boolean;
  /** Gets the focus when its dialog opens. */
  'data-autofocus'?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** A one-line input. Its label is the caller's: `<label htmlFor>` or `aria-label`; `FieldFrame` gives label, hint and error together. */
export function TextInput({ icon, after, isInvalid = false, className, ref, ...rest }: TextInputProps) {
  return (
    <span className={cx(styles.frame, isInvalid && styles.invalid, className)}>
      {icon ? <Icon name={icon} size={14} className={styles.icon} /> : null}
      <input type="text" autoComplete="off" {...rest} ref={ref} aria-invalid={isInvalid || rest['aria-invalid']} className={styles.input} />
      {after ? <span className={styles.after}>{after}</span> : null}
    </span>
  );
}
