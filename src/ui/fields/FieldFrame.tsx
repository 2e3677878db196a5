import { useId, type ReactNode } from 'react';
import styles from './fields.module.css';

/** What ties a control to its label, hint and error; spread it on the control. */
export interface ControlAttributes {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  'aria-required': true | undefined;
  'aria-labelledby'?: string;
  /** For a control without a label of its own on screen, such as a table's cell. */
  'aria-label'?: string;
}

export interface FieldFrameProps {
  /** Made up where nobody needs to know it. */
  id?: string;
  label: string;
  hint?: string;
  /** A second line below the control, for facts rather than advice. */
  subtext?: string;
  error?: string;
  /** Marked as wrong without a text of its own (a password's confirmation). */
  isInvalid?: boolean;
  isRequired?: boolean;
  /** `group`: several controls under one label (radio). `inline`: the control draws the label itself (checkbox). */
  layout?: 'field' | 'group' | 'inline';
  children: (control: ControlAttributes) => ReactNode;
}

/** One field: label, control, error and hint together, tied by ids that exist. */
export function FieldFrame(props: FieldFrameProps) {
  const ownId = useId();
  const { id = ownId, label, hint, subtext, error, isRequired, layout = 'field' } = props;
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`, subtext && `${id}-subtext`].filter(Boolean).join(' ');
  const isInvalid = Boolean(error) || props.isInvalid === true;
  const control: ControlAttributes = {
    id,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': describedBy || undefined,
    'aria-required': isRequired || undefined,
    ...(layout === 'group' ? { 'aria-labelledby': `${id}-label` } : {}),
  };
  return (
    <div className={styles.field} data-field={id}>
      {layout === 'field' ? (
        <label className={styles.label} htmlFor={id}>
          <Caption label={label} isRequired={isRequired} />
        </label>
      ) : null}
      {layout === 'group' ? (
        <div className={styles.label} id={`${id}-label`}>
          <Caption label={label} isRequired={isRequired} />
        </div>
      ) : null}
      {props.children(control)}
      <div aria-live="polite">
        {error ? (
          <p id={`${id}-error`} className={styles.error}>
            {error}
          </p>
        ) : null}
      </div>
      {hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      ) : null}
      {subtext ? (
        <p id={`${id}-subtext`} className={styles.hint}>
          {subtext}
        </p>
      ) : null}
    </div>
  );
}

/** A label's words with the mark of a required field; screen readers hear it from `aria-required`. */
export function Caption({ label, isRequired }: { label: string; isRequired: boolean | undefined }) {
  return (
    <>
      {label}
      {isRequired ? (
        <span className={styles.star} aria-hidden="true">
          *
        </span>
      ) : null}
    </>
  );
}
