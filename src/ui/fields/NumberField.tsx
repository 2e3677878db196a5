import { useState } from 'react';
import { parseNumber } from './parse-number.ts';
import { TextField } from './TextField.tsx';
import type { NumberOrText } from './parse-number.ts';
import type { TextFieldProps } from './TextField.tsx';

export interface NumberFieldProps extends Omit<TextFieldProps, 'value' | 'onChange' | 'inputMode' | 'maxLength'> {
  value: NumberOrText;
  onChange: (value: NumberOrText) => void;
  isInteger?: boolean;
  /** Writes the number for the eye: the language's decimal mark, no grouping. */
  format: (value: number) => string;
}

/** A number as text, so that what is typed is never changed or swallowed; what is no number is refused with a sentence. */
export function NumberField({ value, onChange, isInteger, format, ...rest }: NumberFieldProps) {
  const [text, setText] = useState(() => display(value, format));
  // Typed text stands as long as it means the present value; a value set from outside is written anew.
  const shown = Object.is(parseNumber(text), value) ? text : display(value, format);
  return (
    <TextField
      {...rest}
      inputMode={isInteger ? 'numeric' : 'decimal'}
      value={shown}
      onChange={(next) => {
        setText(next);
        onChange(parseNumber(next));
      }}
    />
  );
}

function display(value: NumberOrText, format: (value: number) => string): string {
  return typeof value === 'number' ? format(value) : (value ?? '');
}
