import { useState } from 'react';
import { IconButton } from '../IconButton.tsx';
import { makePassword } from './make-password.ts';
import { TextField } from './TextField.tsx';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface PasswordFieldProps extends ControlAttributes {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** `new-password` offers to generate and copy one; `current-password` does not. */
  autoComplete?: string;
  maxLength?: number;
  hasAutofocus?: boolean;
  disabled?: boolean;
  labels: { show: string; hide: string; generate: string; copy: string; copied: string };
}

/** A password: show and hide, generate and copy. Pasting is free, and it is kept as it is, blanks and all. */
export function PasswordField({ value, onChange, labels, autoComplete = 'current-password', ...rest }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const [copied, setCopied] = useState<string>();
  const isNew = autoComplete === 'new-password';
  const isCopied = copied === value && value !== '';

  function handleGenerate(): void {
    onChange(makePassword());
    setShown(true);
  }

  async function handleCopy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(value);
    } catch {
      // Without the right to the clipboard the password is shown instead, to be copied by hand.
      setShown(true);
    }
  }

  const tools = (
    <>
      {isNew ? (
        <IconButton icon="key-round" size="small" label={labels.generate} disabled={rest.disabled} onClick={handleGenerate} />
      ) : null}
      {isNew && value !== '' ? (
        <IconButton
          icon={isCopied ? 'check' : 'copy'}
          size="small"
          label={isCopied ? labels.copied : labels.copy}
          onClick={() => void handleCopy()}
        />
      ) : null}
      <IconButton
        icon={isShown ? 'eye-off' : 'eye'}
        size="small"
        label={isShown ? labels.hide : labels.show}
        onClick={() => setShown(!isShown)}
      />
    </>
  );
  return (
    <>
      <TextField
        {...rest}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        value={value}
        onChange={onChange}
        isMonospace={isShown}
        keepsPaste
        tools={tools}
      />
      <span className="visually-hidden" role="status">
        {isCopied ? labels.copied : ''}
      </span>
    </>
  );
}
