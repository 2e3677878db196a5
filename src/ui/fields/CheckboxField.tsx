import { cx } from '../cx.ts';
import { Checkbox } from '../Checkbox.tsx';
import { Caption } from './FieldFrame.tsx';
import styles from './fields.module.css';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface CheckboxFieldProps extends ControlAttributes {
  checked: boolean;
  onChange: (checked: boolean) => void;
  onBlur?: () => void;
  label: string;
  hasAutofocus?: boolean;
  disabled?: boolean;
}

/** A tick with its words to the right; the whole line is the target. */
export function CheckboxField({ onChange, label, hasAutofocus, ...rest }: CheckboxFieldProps) {
  return (
    <Checkbox
      {...rest}
      className={cx(rest['aria-invalid'] && styles.checkInvalid)}
      data-autofocus={hasAutofocus || undefined}
      onChange={(event) => onChange(event.target.checked)}
    >
      <Caption label={label} isRequired={rest['aria-required']} />
    </Checkbox>
  );
}
