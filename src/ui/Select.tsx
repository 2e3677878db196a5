import type { AriaAttributes } from 'react';
import { ChoiceList, type ChoiceKey } from './fields/ChoiceList.tsx';
import type { IconName } from './Icon.tsx';

export interface SelectProps<V extends ChoiceKey> extends AriaAttributes {
  id?: string;
  value: V | undefined;
  choices: readonly { value: V; label: string; lang?: string }[];
  icon?: IconName;
  /** Without frame and background. */
  isPlain?: boolean;
  disabled?: boolean;
  onChange: (value: V) => void;
}

/** One of several, found by typing too; something is always chosen. Its label is the caller's. */
export function Select<V extends ChoiceKey>({ id, value, choices, icon, isPlain, disabled, onChange, ...aria }: SelectProps<V>) {
  return (
    <ChoiceList
      id={id}
      aria={aria}
      options={choices}
      selected={choices.filter((choice) => choice.value === value).slice(0, 1)}
      icon={icon}
      isPlain={isPlain}
      disabled={disabled}
      onSelect={([chosen]) => choices.filter((choice) => choice.value === chosen?.value).forEach((choice) => onChange(choice.value))}
    />
  );
}
