import { useState } from 'react';
import { parseNumber } from './parse-number.ts';
import { TextField } from './TextField.tsx';
import type { KeyboardEvent } from 'react';
import type { NumberOrText } from './parse-number.ts';
import type { TextFieldProps } from './TextField.tsx';

export interface NumberFieldProps extends Omit<TextFieldProps, 'value' | 'onChange' | 'inputMode' | 'maxLength'> {
  value: NumberOrText;
  onChange: (value: NumberOrText) => void;
  isInteger?: boolean;
  /** What the arrow keys add and take away; 1 by default. */
  step?: number;
  min?: number;
  max?: number;
  /** Writes the number for the eye: the language's decimal mark, no grouping. */
  format: (value: number) => string;
}

/** A number as text, so that what is typed is never changed or swallowed; what is no number is refused with a sentence. */
export function NumberField({ value, onChange, isInteger, step = 1, min = -Infinity, max = Infinity, format, ...rest }: NumberFieldProps) {
  const [text, setText] = useState(() => display(value, format));
  // Typed text stays as long as it means the present value; a value set from outside is written again.
  const shown = Object.is(parseNumber(text), value) ? text : display(value, format);

  function handleKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (direction === 0 || typeof value === 'string') return;
    event.preventDefault();
    const start = value ?? (Number.isFinite(min) ? min - direction * step : 0);
    // Rounded to the step, so that 0.1 and 0.2 make 0.3.
    const next = Math.round((start + direction * step) / step) * step;
    const digits = Math.max(0, Math.ceil(-Math.log10(step)));
    onChange(Math.min(max, Math.max(min, Number(next.toFixed(digits)))));
  }

  return (
    <TextField
      {...rest}
      onKeyDown={handleKeyDown}
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
