import { useLayoutEffect, useRef } from 'react';
import { cx } from '../cx.ts';
import { TextInput } from '../TextInput.tsx';
import { CutNotice } from './CutNotice.tsx';
import { usePaste } from './use-paste.ts';
import styles from './fields.module.css';
import type { KeyboardEvent } from 'react';
import type { ControlAttributes } from './FieldFrame.tsx';

/** Shapes text while it is typed. `caretOf` answers where the caret belongs in the shaped text, from where it was in the raw one. */
export interface TextShape {
  shape: (text: string) => string;
  caretOf: (text: string, caret: number) => number;
}

export interface TextFieldProps extends ControlAttributes {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  inputMode?: 'decimal' | 'numeric' | 'email' | 'tel' | 'text';
  placeholder?: string;
  maxLength?: number;
  autoComplete?: string;
  hasAutofocus?: boolean;
  disabled?: boolean;
  /** A unit or symbol behind the text. */
  addon?: string;
  isMonospace?: boolean;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  mask?: TextShape;
  /** Another spelling of the text, taken over when it is pasted and when the field is left. */
  normalize?: (text: string) => string;
}

/** One line of text. Pasted text is trimmed and cut to `maxLength`, and says so; typing stops there by itself. */
export function TextField({ value, onChange, onBlur, addon, isMonospace, hasAutofocus, mask, normalize, ...rest }: TextFieldProps) {
  const input = useRef<HTMLInputElement | null>(null);
  const caret = useRef<number>(undefined);
  const paste = usePaste({ maxLength: rest.maxLength, onChange: change, normalize });

  // React puts the caret to the end when the value is not what was typed.
  useLayoutEffect(() => {
    const at = caret.current;
    caret.current = undefined;
    if (at !== undefined && document.activeElement === input.current) input.current?.setSelectionRange(at, at);
  });

  function change(text: string): void {
    onChange(mask ? mask.shape(text) : text);
  }

  return (
    <>
      <TextInput
        {...rest}
        ref={input}
        isInvalid={rest['aria-invalid']}
        className={cx(styles.control, isMonospace && styles.monospace)}
        data-autofocus={hasAutofocus || undefined}
        value={value}
        onChange={(event) => {
          paste.clear();
          const { target, nativeEvent } = event;
          // While characters are being composed (Japanese, accents) they must not change under the hand.
          if (nativeEvent instanceof InputEvent && nativeEvent.isComposing) {
            onChange(target.value);
            return;
          }
          if (mask) caret.current = mask.caretOf(target.value, target.selectionStart ?? target.value.length);
          change(target.value);
        }}
        onCompositionEnd={mask ? (event) => change(event.currentTarget.value) : undefined}
        onBlur={() => {
          const normal = normalize ? normalize(value.trim()) : value.trim();
          if (normal !== value) onChange(normal);
          onBlur?.();
        }}
        onPaste={paste.handlePaste}
        after={addon ? <span className={styles.addon}>{addon}</span> : undefined}
      />
      <CutNotice cutTo={paste.cutTo} />
    </>
  );
}
