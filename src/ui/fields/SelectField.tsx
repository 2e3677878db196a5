import { Icon } from '../Icon.tsx';
import styles from './fields.module.css';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface Choice<V> {
  value: V;
  label: string;
}

export interface SelectFieldProps<V> extends ControlAttributes {
  value: V | undefined;
  choices: readonly Choice<V>[];
  onChange: (value: V | undefined) => void;
  onBlur?: () => void;
  /** The words of the empty choice. */
  emptyLabel: string;
  hasAutofocus?: boolean;
  autoComplete?: string;
  disabled?: boolean;
}

/** One of a few: the browser's own select, which phones and screen readers know best. */
export function SelectField<V>({ value, choices, onChange, emptyLabel, hasAutofocus, ...rest }: SelectFieldProps<V>) {
  const index = choices.findIndex((choice) => Object.is(choice.value, value));
  return (
    <span className={styles.selectFrame}>
      <select
        {...rest}
        className={styles.select}
        data-autofocus={hasAutofocus || undefined}
        data-empty={index === -1 || undefined}
        value={index === -1 ? '' : String(index)}
        onChange={(event) => onChange(event.target.value === '' ? undefined : choices[Number(event.target.value)]?.value)}
      >
        <option value="">{emptyLabel}</option>
        {choices.map((choice, position) => (
          <option key={String(choice.value)} value={position}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={14} className={styles.chevron} />
    </span>
  );
}
