import { cx } from '../cx.ts';
import { TextInput } from '../TextInput.tsx';
import { handlePaste } from './paste.ts';
import styles from './fields.module.css';
import type { ReactNode } from 'react';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface TextFieldProps extends ControlAttributes {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  type?: 'text' | 'password';
  inputMode?: 'decimal' | 'numeric' | 'email' | 'text';
  placeholder?: string;
  maxLength?: number;
  autoComplete?: string;
  hasAutofocus?: boolean;
  disabled?: boolean;
  /** A unit or sign behind the text. */
  addon?: string;
  /** Small buttons behind the text. */
  tools?: ReactNode;
  isMonospace?: boolean;
  /** Pasted text stays as it is: for passwords. */
  keepsPaste?: boolean;
}

/** One line of text. Pasted text is trimmed and cut to `maxLength`; typing stops there by itself. */
export function TextField({ value, onChange, addon, tools, isMonospace, hasAutofocus, keepsPaste, ...rest }: TextFieldProps) {
  return (
    <TextInput
      {...rest}
      isInvalid={rest['aria-invalid']}
      className={cx(styles.control, isMonospace && styles.monospace)}
      data-autofocus={hasAutofocus || undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onPaste={keepsPaste ? undefined : (event) => handlePaste(event, rest.maxLength, onChange)}
      after={addon ? <span className={styles.addon}>{addon}</span> : tools ? <span className={styles.tools}>{tools}</span> : null}
    />
  );
}
