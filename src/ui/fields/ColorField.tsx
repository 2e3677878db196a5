import { TextField } from './TextField.tsx';
import styles from './fields.module.css';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface ColorFieldProps extends ControlAttributes {
  /** `#0958d9`, or what is typed so far. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  pickLabel: string;
  hasAutofocus?: boolean;
  disabled?: boolean;
}

/** `#0958d9` */
const HEX = /^#[0-9a-f]{6}$/i;
// The browser's picker cannot be empty; it starts from grey then.
const NO_COLOR = '#929daa';

/** A colour: as text, and by the browser's own picker. */
export function ColorField({ value, onChange, pickLabel, ...rest }: ColorFieldProps) {
  return (
    <span className={styles.color}>
      <input
        type="color"
        className={styles.swatch}
        data-empty={!HEX.test(value) || undefined}
        aria-label={pickLabel}
        disabled={rest.disabled}
        value={HEX.test(value) ? value.toLowerCase() : NO_COLOR}
        onChange={(event) => onChange(event.target.value)}
      />
      <TextField {...rest} value={value} onChange={onChange} placeholder="#0958d9" maxLength={7} autoComplete="off" isMonospace />
    </span>
  );
}
