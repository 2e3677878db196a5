import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { IconButton } from '../IconButton.tsx';
import { PasswordInput } from '../PasswordInput.tsx';
import { makePassword } from './make-password.ts';
import styles from './fields.module.css';
import type { ControlAttributes } from './FieldFrame.tsx';
import { type Strength, passwordBits, strengthOf } from './password-strength.ts';

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
export function PasswordField({
  value,
  onChange,
  isNew = false,
  autoComplete = 'current-password',
  hasAutofocus,
  ...rest
}: PasswordFieldProps) {
  const t = useT();
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === value && value !== '';

  async function handleCopy(show: () => void): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(value);
    } catch {
      // Without the right to the clipboard the password is shown instead, to be copied by hand.
      show();
    }
  }

  function drawTools(show: () => void) {
    if (!isNew) return null;
    return (
      <>
        <IconButton
          icon="key-round"
          size="small"
          label={t('form.password.generate')}
          disabled={rest.disabled}
          onClick={() => {
            onChange(makePassword());
            show();
          }}
        />
        {value === '' ? null : (
          <IconButton
            icon={isCopied ? 'check' : 'copy'}
            size="small"
            label={isCopied ? t('form.password.copied') : t('form.password.copy')}
            onClick={() => void handleCopy(show)}
          />
        )}
      </>
    );
  }

  return (
    <>
      <PasswordInput
        {...rest}
        isInvalid={rest['aria-invalid']}
        className={styles.control}
        data-autofocus={hasAutofocus || undefined}
        autoComplete={autoComplete}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        tools={drawTools}
      />
      {isNew ? <PasswordStrength password={value} /> : null}
      <span className="visually-hidden" role="status">
        {isCopied ? t('form.password.copied') : ''}
      </span>
    </>
  );
}

const STEPS: readonly Strength[] = ['weak', 'fair', 'good', 'strong'];

/** How hard a new password is to guess: a bar of four parts, a word, and the estimate in bits. */
export function PasswordStrength({ password }: { password: string }) {
  const t = useT();
  if (password === '') return null;
  const bits = passwordBits(password);
  const strength = strengthOf(bits);
  const reached = STEPS.indexOf(strength);
  return (
    <p className={styles.strength} data-strength={strength}>
      <span className={styles.meter} aria-hidden="true">
        {STEPS.map((step, index) => (
          <span key={step} data-reached={index <= reached || undefined} />
        ))}
      </span>
      <span role="status">{t(`form.password.strength.${strength}`)}</span>
      <span className={styles.bits}>{t('form.password.bits', { count: bits })}</span>
    </p>
  );
}
