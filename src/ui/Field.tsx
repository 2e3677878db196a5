import { useId, type ReactNode } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { Icon } from './Icon.tsx';
import styles from './Field.module.css';

export interface FieldControlProps {
  id: string;
  required: boolean;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string;
  isRequired?: boolean;
  /** Gets what ties the control to its label, hint and error. */
  children(control: FieldControlProps): ReactNode;
}

/** A visible label, the control, its hint and its error: the frame of every form field. */
export function Field({ label, hint, error, isRequired = false, children }: FieldProps) {
  const t = useT();
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {isRequired ? (
          <span className={styles.required} aria-hidden="true" title={t('common.required')}>
            *
          </span>
        ) : null}
      </label>
      {children({ id, required: isRequired, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
      {error ? (
        <p id={`${id}-error`} className={styles.error}>
          <Icon name="circle-alert" size={14} />
          <span>{error}</span>
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
