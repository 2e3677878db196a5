import styles from './fields.module.css';
import type { ControlAttributes } from './FieldFrame.tsx';
import type { Choice } from './SelectField.tsx';

export interface RadioFieldProps<V> extends ControlAttributes {
  value: V | undefined;
  choices: readonly Choice<V>[];
  onChange: (value: V) => void;
  onBlur?: () => void;
  hasAutofocus?: boolean;
  disabled?: boolean;
}

/** One of a few, all in sight. The group carries the state; each choice its own words. */
export function RadioField<V>({ id, value, choices, onChange, onBlur, hasAutofocus, disabled, ...aria }: RadioFieldProps<V>) {
  const chosen = choices.findIndex((choice) => Object.is(choice.value, value));
  return (
    <div
      role="radiogroup"
      {...aria}
      className={styles.radios}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onBlur?.();
      }}
    >
      {choices.map((choice, index) => (
        <label key={String(choice.value)} className={styles.radio}>
          <input
            type="radio"
            // The first one bears the field's id, so that a link to the field has somewhere to go.
            id={index === 0 ? id : `${id}-${index}`}
            name={id}
            checked={index === chosen}
            disabled={disabled}
            data-autofocus={(hasAutofocus && index === Math.max(0, chosen)) || undefined}
            onChange={() => onChange(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}
