import Radio from 'antd/es/radio';
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
    <Radio.Group
      // Its types do not know that it takes a role.
      {...{ role: 'radiogroup', ...aria }}
      name={id}
      className={styles.radios}
      disabled={disabled}
      // Positions, because values may be of any kind.
      value={chosen}
      onChange={(event) => choices.filter((_, index) => index === event.target.value).forEach((choice) => onChange(choice.value))}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onBlur?.();
      }}
    >
      {choices.map((choice, index) => (
        <Radio
          key={String(choice.value)}
          value={index}
          // The first one bears the field's id, so that a link to the field has somewhere to go.
          id={index === 0 ? id : `${id}-${index}`}
          data-autofocus={(hasAutofocus && index === Math.max(0, chosen)) || undefined}
        >
          {choice.label}
        </Radio>
      ))}
    </Radio.Group>
  );
}
