import styles from './fields.module.css';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface RangeFieldProps extends ControlAttributes {
  value: number | undefined;
  min: number;
  max: number;
  step: number;
  /** Writes the number beside the slider. */
  format: (value: number) => string;
  onChange: (value: number) => void;
  onBlur?: () => void;
  hasAutofocus?: boolean;
  disabled?: boolean;
}

/** A number between two bounds, by a slider; the number itself is next to it. */
export function RangeField({ value, min, format, onChange, hasAutofocus, 'aria-required': _unknownToSliders, ...rest }: RangeFieldProps) {
  return (
    <span className={styles.slider}>
      <input
        {...rest}
        type="range"
        min={min}
        value={value ?? min}
        data-autofocus={hasAutofocus || undefined}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      <output htmlFor={rest.id}>{value === undefined ? '—' : format(value)}</output>
    </span>
  );
}
