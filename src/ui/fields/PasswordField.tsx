import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { IconButton } from '../IconButton.tsx';
import { makePassword } from './make-password.ts';
import { PasswordStrength } from './PasswordStrength.tsx';
import { TextField } from './TextField.tsx';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface PasswordFieldProps extends ControlAttributes {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  autoComplete?: string;
  placeholder?: string;
  maxLength?: number;
  hasAutofocus?: boolean;
  disabled?: boolean;
  /** A password is being chosen: offers to generate and copy one, and says how strong it is. */
  isNew?: boolean;
}

/** A password: show and hide, generate and copy. Pasting is free, and it is kept as it is, blanks and all. */
export function PasswordField({ value, onChange, isNew = false, autoComplete = 'current-password', ...rest }: PasswordFieldProps) {
  const t = useT();
  const [isShown, setShown] = useState(false);
  const [copied, setCopied] = useState<string>();
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
        <IconButton icon="key-round" size="small" label={t('form.password.generate')} disabled={rest.disabled} onClick={handleGenerate} />
      ) : null}
      {isNew && value !== '' ? (
        <IconButton
          icon={isCopied ? 'check' : 'copy'}
          size="small"
          label={isCopied ? t('form.password.copied') : t('form.password.copy')}
          onClick={() => void handleCopy()}
        />
      ) : null}
      <IconButton
        icon={isShown ? 'eye-off' : 'eye'}
        size="small"
        label={isShown ? t('form.password.hide') : t('form.password.show')}
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
      {isNew ? <PasswordStrength password={value} /> : null}
      <span className="visually-hidden" role="status">
        {isCopied ? t('form.password.copied') : ''}
      </span>
    </>
  );
}
