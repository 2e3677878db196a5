import { handlePaste } from './paste.ts';
import styles from './fields.module.css';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface TextAreaFieldProps extends ControlAttributes {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  rows?: number;
  maxLength?: number;
  placeholder?: string;
  hasAutofocus?: boolean;
  disabled?: boolean;
  isMonospace?: boolean;
}

/** Several lines of text. */
export function TextAreaField({ value, onChange, hasAutofocus, isMonospace, rows = 3, ...rest }: TextAreaFieldProps) {
  return (
    <textarea
      {...rest}
      rows={rows}
      className={styles.area}
      data-monospace={isMonospace || undefined}
      data-autofocus={hasAutofocus || undefined}
      spellCheck={isMonospace ? false : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onPaste={(event) => handlePaste(event, rest.maxLength, onChange)}
    />
  );
}
