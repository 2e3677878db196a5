import { useRef, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import styles from './file.module.css';
import type { DragEvent } from 'react';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface ChosenFile {
  key: string;
  name: string;
  /** In words: `1.2 MB`. */
  size: string;
  /** Why it cannot be sent. */
  fault?: string;
}

export interface FileFieldProps extends ControlAttributes {
  files: readonly ChosenFile[];
  isMultiple: boolean;
  /** Name ends, as the browser's chooser wants them: `.json,.csv`. */
  accept?: string;
  /** What is taken, in words. */
  rules: string;
  disabled?: boolean;
  hasAutofocus?: boolean;
  onAdd: (files: readonly File[]) => void;
  onRemove: (key: string) => void;
  onBlur: () => void;
}

/** Files, chosen or dropped: a real file input over a zone that takes drops, and the chosen ones below it. */
export function FileField(props: FileFieldProps) {
  const { files, isMultiple, rules, disabled, hasAutofocus } = props;
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);

  function handleDrop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    if (!disabled) props.onAdd([...event.dataTransfer.files]);
  }

  return (
    <div className={styles.file}>
      <div
        role="presentation"
        className={styles.zone}
        data-over={isOver || undefined}
        data-disabled={disabled || undefined}
        onClick={(event) => {
          if (event.target !== input.current) input.current?.click();
        }}
        onDragOver={(event) => {
          // Without this the browser opens the file instead of the page.
          event.preventDefault();
          setOver(!disabled);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={handleDrop}
      >
        <Icon name="file" />
        <span>
          <span className={styles.choose}>{t(isMultiple ? 'form.file.choose_many' : 'form.file.choose')}</span> {t('form.file.drop')}
          <span className={styles.rules}>{rules}</span>
        </span>
        <input
          ref={input}
          id={props.id}
          type="file"
          className={styles.input}
          aria-invalid={props['aria-invalid']}
          aria-describedby={props['aria-describedby']}
          required={props['aria-required']}
          accept={props.accept}
          multiple={isMultiple}
          disabled={disabled}
          data-autofocus={hasAutofocus || undefined}
          onChange={(event) => {
            props.onAdd([...(event.target.files ?? [])]);
            // The same file may be chosen again once it was corrected.
            event.target.value = '';
          }}
          onBlur={props.onBlur}
        />
      </div>
      {files.length > 0 ? (
        <ul className={styles.list} aria-label={t('form.file.chosen')}>
          {files.map(({ key, name, size, fault }) => (
            <li key={key} data-wrong={fault !== undefined || undefined}>
              <Icon name={fault === undefined ? 'file' : 'circle-alert'} size={14} />
              <span className={styles.words}>
                {name} <span className={styles.size}>{size}</span>
                {fault ? <span className={styles.fault}>{fault}</span> : null}
              </span>
              <IconButton
                icon="x"
                size="small"
                label={t('form.list.remove', { label: name })}
                disabled={disabled}
                onClick={() => {
                  props.onRemove(key);
                  input.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
