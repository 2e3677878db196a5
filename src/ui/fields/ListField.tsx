import { useRef, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../Button.tsx';
import { Icon } from '../Icon.tsx';
import styles from './fields.module.css';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface ListFieldItem {
  text: string;
  /** Drawn as wrong; a press on its words takes it back into the text. */
  isWrong?: boolean;
}

export interface ListFieldProps extends ControlAttributes {
  label: string;
  items: readonly ListFieldItem[];
  /** What is being typed. */
  text: string;
  onText: (text: string) => void;
  /** What is wrong with the text at the moment. */
  problem?: string;
  /** What happened last, for everyone and for screen readers. */
  notice?: string;
  placeholder?: string;
  inputMode?: 'decimal' | 'numeric' | 'text';
  hasAutofocus?: boolean;
  disabled?: boolean;
  onRemove: (index: number) => void;
  onEdit: (index: number) => void;
  /** A key went down; answer whether it was used up. */
  onKey: (key: string) => boolean;
  /** Something is pasted; answer whether it was taken, else it goes into the text. */
  onPasteText: (text: string) => boolean;
  /** The focus leaves the whole field. */
  onBlur: () => void;
  children?: ReactNode;
}

/** Chips beyond this many wait behind a button: a thousand of them would hide the form, and slow it. */
const SHOWN = 100;

/** A list of short values as chips, with a text to add more. */
export function ListField(props: ListFieldProps) {
  const { id, label, items, text, problem, notice, disabled } = props;
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, SHOWN);
  const describedBy = [props['aria-describedby'], problem && `${id}-problem`].filter(Boolean).join(' ');

  function handleKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (!event.nativeEvent.isComposing && props.onKey(event.key)) event.preventDefault();
  }

  function handlePaste(event: ClipboardEvent<HTMLInputElement>): void {
    if (props.onPasteText(event.clipboardData.getData('text'))) event.preventDefault();
  }

  function refocus(act: () => void): void {
    act();
    input.current?.focus();
  }

  return (
    <div
      role="presentation"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) props.onBlur();
      }}
    >
      {/* A press beside the text goes into the text. */}
      <div
        role="presentation"
        className={styles.combobox}
        data-multiple
        data-disabled={disabled || undefined}
        onMouseDown={(event) => {
          if (event.target instanceof Element && event.target.closest('button, input')) return;
          event.preventDefault();
          input.current?.focus();
        }}
      >
        {items.length > 0 ? (
          <ul className={styles.chips} aria-label={t('form.items.list', { label, count: items.length })}>
            {shown.map((item, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the same value may be in the list twice
              <li key={`${index} ${item.text}`} className={styles.chip} data-wrong={item.isWrong || undefined}>
                {item.isWrong && !disabled ? (
                  <button
                    type="button"
                    className={styles.chipWords}
                    aria-label={t('form.items.edit', { item: item.text })}
                    onClick={() => refocus(() => props.onEdit(index))}
                  >
                    <Icon name="circle-alert" size={12} /> {item.text}
                  </button>
                ) : (
                  item.text
                )}
                <button
                  type="button"
                  aria-label={t('form.list.remove', { label: item.text })}
                  disabled={disabled}
                  onClick={() => refocus(() => props.onRemove(index))}
                >
                  <Icon name="x" size={12} />
                </button>
              </li>
            ))}
          </ul>
        ) : null}
        {shown.length < items.length ? (
          <Button variant="link" onClick={() => setWhole(true)}>
            {t('form.items.more', { count: items.length - shown.length })}
          </Button>
        ) : null}
        <input
          ref={input}
          id={id}
          type="text"
          className={styles.text}
          aria-invalid={props['aria-invalid'] ?? (problem ? true : undefined)}
          aria-describedby={describedBy || undefined}
          aria-required={props['aria-required']}
          autoComplete="off"
          spellCheck={false}
          inputMode={props.inputMode}
          disabled={disabled}
          data-autofocus={props.hasAutofocus || undefined}
          placeholder={items.length === 0 ? props.placeholder : undefined}
          value={text}
          onChange={(event) => props.onText(event.target.value)}
          onKeyDown={handleKeyDown}
          onPaste={handlePaste}
        />
      </div>
      {problem ? (
        <p id={`${id}-problem`} role="alert" className={styles.error}>
          {problem}
        </p>
      ) : null}
      <span role="status" className={notice ? styles.notice : 'visually-hidden'}>
        {notice}
      </span>
      {props.children}
    </div>
  );
}
