import Input, { type InputRef } from 'antd/es/input/Input';
import { useImperativeHandle, useRef, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import styles from './TextInput.module.css';

export interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'prefix'> {
  icon?: IconName;
  /** Units, a key hint or small buttons at the end. */
  after?: ReactNode;
  isInvalid?: boolean;
  /** Gets the focus when its dialog opens. */
  'data-autofocus'?: boolean;
  ref?: Ref<HTMLInputElement | null>;
}

/** A one-line input. Its label is the caller's: `<label htmlFor>` or `aria-label`; `FieldFrame` gives label, hint and error together. */
export function TextInput({ icon, after, isInvalid = false, className, ref, ...rest }: TextInputProps) {
  const control = useRef<InputRef>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => control.current?.input ?? null);
  return (
    <Input
      type="text"
      autoComplete="off"
      {...rest}
      ref={control}
      status={isInvalid ? 'error' : undefined}
      aria-invalid={isInvalid || rest['aria-invalid']}
      prefix={icon ? <Icon name={icon} size={14} className={styles.icon} /> : undefined}
      // Its frame stays when what is behind the text goes, and the focus with it.
      suffix={after === undefined ? undefined : <span className={styles.after}>{after}</span>}
      className={cx(styles.input, className)}
    />
  );
}
