import { TextInput } from '../TextInput.tsx';
import styles from './fields.module.css';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface DateFieldProps extends ControlAttributes {
  /** `date`: `2026-11-21`. `datetime-local`: `2026-11-21T09:41:00`. `time`: `09:41:00`. Empty for none. */
  type: 'date' | 'datetime-local' | 'time';
  value: string;
  min?: string;
  max?: string;
  disabled?: boolean;
  hasAutofocus?: boolean;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** A day, or a day and a time to the second: the browser's own control, which knows the language, the calendar and the keyboard. */
export function DateField({ onChange, hasAutofocus, type, ...rest }: DateFieldProps) {
  return (
    <TextInput
      {...rest}
      type={type}
      step={type === 'date' ? undefined : 1}
      isInvalid={rest['aria-invalid']}
      className={styles.date}
      data-autofocus={hasAutofocus || undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
