import { ChoiceList } from './ChoiceList.tsx';
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
  /** The words of the empty choice, which an optional field has. */
  emptyLabel: string;
  hasAutofocus?: boolean;
  /** Browsers fill in their own selects only; kept for what is stored in form files. */
  autoComplete?: string;
  disabled?: boolean;
}

const EMPTY = -1;

/** One of a few, found by typing too. */
export function SelectField<V>(props: SelectFieldProps<V>) {
  const { id, value, choices, onChange, onBlur, emptyLabel, hasAutofocus, autoComplete: _, disabled, ...aria } = props;
  // Positions, because values may be of any kind.
  const options = choices.map(({ label }, position) => ({ value: position, label }));
  const index = choices.findIndex((choice) => Object.is(choice.value, value));
  return (
    <ChoiceList
      id={id}
      aria={aria}
      options={aria['aria-required'] ? options : [{ value: EMPTY, label: emptyLabel }, ...options]}
      selected={options.slice(index, index + 1)}
      placeholder={emptyLabel}
      hasAutofocus={hasAutofocus}
      disabled={disabled}
      onBlur={onBlur}
      onSelect={([chosen]) => onChange(choices[Number(chosen?.value ?? EMPTY)]?.value)}
    />
  );
}
