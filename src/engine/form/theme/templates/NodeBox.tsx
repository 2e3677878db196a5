import type { ReactNode } from 'react';
import type { FieldPathId, Registry } from '@rjsf/utils';
import { keyOf } from '../../paths.ts';
import { nodeMessage } from '../../field-texts.ts';
import { contextOf } from '../form-registry-context.ts';
import { elementId } from '../words.ts';
import styles from '../theme.module.css';

export interface NodeBoxProps {
  fieldPathId: FieldPathId;
  registry: Registry;
  title: string;
  /** Beside the title, such as the button that takes the whole away. */
  extra?: ReactNode;
  hint: string;
  isRequired?: boolean;
  children: ReactNode;
}

/** What an object or a list is in: a fieldset under its title, with what is wrong with it as a whole. */
export function NodeBox({ fieldPathId, registry, title, extra, hint, isRequired, children }: NodeBoxProps) {
  const { model, t } = contextOf(registry);
  const key = keyOf(fieldPathId.path);
  const message = nodeMessage(model.items(key), key, undefined, t);
  const id = elementId(fieldPathId.$id);
  const describedBy = [message && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <fieldset id={id} className={styles.group} tabIndex={-1} aria-describedby={describedBy || undefined} data-group={key}>
      {title === '' ? null : (
        <legend className={styles.legend}>
          {title}
          {isRequired ? (
            <span aria-hidden="true" className={styles.star}>
              *
            </span>
          ) : null}
        </legend>
      )}
      {extra}
      {hint ? (
        <p id={`${id}-hint`} className={styles.note}>
          {hint}
        </p>
      ) : null}
      <div aria-live="polite">
        {message ? (
          <p id={`${id}-error`} className={styles.wrong}>
            {message}
          </p>
        ) : null}
      </div>
      {children}
    </fieldset>
  );
}
