import { useT } from '../../kernel/i18n/index.ts';
import { passwordBits, strengthOf } from './password-strength.ts';
import styles from './fields.module.css';
import type { Strength } from './password-strength.ts';

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
