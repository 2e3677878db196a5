import { useId } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { TextInput } from '../../ui/index.ts';
import styles from './jobs.module.css';

const MOST_CHARACTERS = 500;

interface ReasonChoiceProps {
  value: string;
  /** A company of these devices wants one. */
  isRequired: boolean;
  /** It was tried without one. */
  isMissing: boolean;
  onChange: (reason: string) => void;
}

/** Why a risky job is started: kept with the job and in the history. */
export function ReasonChoice({ value, isRequired, isMissing, onChange }: ReasonChoiceProps) {
  const t = useT();
  const id = useId();
  return (
    <div className={styles.waves}>
      <label htmlFor={id}>{t(isRequired ? 'fields.reason' : 'jobs.reason.optional')}</label>
      <span>
        <TextInput
          id={id}
          value={value}
          maxLength={MOST_CHARACTERS}
          isInvalid={isMissing}
          aria-required={isRequired}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(event.target.value)}
        />
        <span id={`${id}-hint`} className={isMissing ? styles.fault : styles.quiet}>
          {t(isMissing ? 'jobs.reason.missing' : isRequired ? 'jobs.reason.asked' : 'jobs.reason.hint')}
        </span>
      </span>
    </div>
  );
}
