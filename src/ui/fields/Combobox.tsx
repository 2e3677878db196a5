import { useId, useRef, useState } from 'react';
import { Floating } from '../Floating.tsx';
import { Icon } from '../Icon.tsx';
import { ComboboxList } from './ComboboxList.tsx';
import type { KeyboardEvent } from 'react';
import type { ControlAttributes } from './FieldFrame.tsx';
import styles from './fields.module.css';

export type ComboboxValue = string | number;
export interface ComboboxOption {
  value: ComboboxValue;
  label: string;
  detail?: string;
}

/** Where the list stands: what there is to choose from for the present search text. */
export interface ComboboxSource {
  options: readonly ComboboxOption[];
  state: 'ready' | 'loading' | 'error';
  hasMore: boolean;
  loadMore: () => void;
  retry: () => void;
}

export interface ComboboxLabels {
  placeholder: string;
  clear: string;
  remove: (label: string) => string;
  loading: string;
  empty: string;
  failed: string;
  retry: string;
  more: string;
  /** Said by screen readers when the list changes. */
  count: (count: number) => string;
}

export interface ComboboxProps extends ControlAttributes {
  label: string;
  /** Chosen options with their words, in the order chosen. */
  selected: readonly ComboboxOption[];
  isMultiple?: boolean;
  isClearable?: boolean;
  query: string;
  source: ComboboxSource;
  labels: ComboboxLabels;
  hasAutofocus?: boolean;
  disabled?: boolean;
  onQuery: (query: string) => void;
  /** The list is opened for the first time or again: time to fetch. */
  onOpen?: () => void;
  onSelect: (selected: ComboboxOption[]) => void;
  onBlur?: () => void;
}

/**
 * Choosing from a list too long for a select: the editable combobox of WAI-ARIA APG with a listbox popup, for one or several values.
 * Arrow keys move, Enter chooses, Escape closes the list only, Backspace in an empty text removes the last of several.
 */
export function Combobox(props: ComboboxProps) {
  const { selected, isMultiple = false, query, source, labels, isClearable = false, disabled } = props;
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [wanted, setActive] = useState(-1);
  const anchor = useRef<HTMLSpanElement>(null);
  const { options } = source;
  const active = Math.min(wanted, options.length - 1);
  const chosen = new Set(selected.map((option) => option.value));
  const only = isMultiple ? undefined : selected[0];
  const hasList = open && options.length > 0;

  function show(): void {
    if (open || disabled) return;
    setOpen(true);
    setActive(only ? options.findIndex((option) => option.value === only.value) : -1);
    props.onOpen?.();
  }

  function hide(): void {
    setOpen(false);
    setActive(-1);
    if (query !== '') props.onQuery('');
  }

  function choose(option: ComboboxOption): void {
    if (!isMultiple) {
      props.onSelect([option]);
      hide();
      return;
    }
    props.onSelect(chosen.has(option.value) ? selected.filter((other) => other.value !== option.value) : [...selected, option]);
    if (query !== '') props.onQuery('');
    input.current?.focus();
  }

  function move(step: number): void {
    if (!open) {
      show();
      return;
    }
    const next = active + step;
    if (next >= options.length) {
      if (source.hasMore) source.loadMore();
      else setActive(0);
      return;
    }
    setActive(next < 0 ? options.length - 1 : next);
  }

  function handleKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const option = open ? options[active] : undefined;
    switch (event.key) {
      case 'ArrowDown':
        event.preventDefault();
        move(1);
        return;
      case 'ArrowUp':
        event.preventDefault();
        if (open && event.altKey) hide();
        else move(-1);
        return;
      case 'Enter':
        if (!open) return;
        event.preventDefault();
        if (option) choose(option);
        return;
      case 'Escape':
        if (!open) return;
        event.preventDefault();
        event.stopPropagation();
        hide();
        return;
      case 'Backspace':
        if (query === '' && isMultiple && selected.length > 0) props.onSelect(selected.slice(0, -1));
        return;
      default:
    }
  }

  return (
    <span
      ref={anchor}
      role="presentation"
      className={styles.combobox}
      data-multiple={isMultiple || undefined}
      data-disabled={disabled || undefined}
      onMouseDown={(event) => {
        // A press beside the text (the chevron, the free room) opens or closes the list and leaves the focus in the text.
        // The list below has dealt with a press of its own already.
        if (event.defaultPrevented || (event.target instanceof Element && event.target.closest('button, input'))) return;
        event.preventDefault();
        input.current?.focus();
        if (open) hide();
        else show();
      }}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        hide();
        props.onBlur?.();
      }}
    >
      {isMultiple
        ? selected.map((option) => (
            <span key={option.value} className={styles.chip}>
              {option.label}
              <button
                type="button"
                aria-label={labels.remove(option.label)}
                disabled={disabled}
                onClick={() => {
                  props.onSelect(selected.filter((other) => other.value !== option.value));
                  input.current?.focus();
                }}
              >
                <Icon name="x" size={12} />
              </button>
            </span>
          ))
        : null}
      <input
        ref={input}
        id={props.id}
        type="text"
        role="combobox"
        className={styles.text}
        aria-invalid={props['aria-invalid']}
        aria-describedby={props['aria-describedby']}
        aria-required={props['aria-required']}
        aria-autocomplete="list"
        aria-expanded={hasList}
        aria-controls={hasList ? listId : undefined}
        aria-activedescendant={hasList && options[active] ? `${listId}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        data-autofocus={props.hasAutofocus || undefined}
        placeholder={only ? only.label : selected.length > 0 ? undefined : labels.placeholder}
        value={open || query !== '' ? query : (only?.label ?? '')}
        onChange={(event) => {
          show();
          setActive(-1);
          props.onQuery(event.target.value);
        }}
        onClick={show}
        onKeyDown={handleKeyDown}
      />
      {isClearable && only && !disabled ? (
        <button
          type="button"
          className={styles.toggle}
          aria-label={labels.clear}
          onClick={() => {
            props.onSelect([]);
            input.current?.focus();
          }}
        >
          <Icon name="x" size={14} />
        </button>
      ) : null}
      <span className={styles.toggle}>
        <Icon name="chevron-down" size={14} />
      </span>
      {open ? (
        <Floating anchor={anchor} isAnchorWide className={styles.popup}>
          <ComboboxList
            id={listId}
            label={props.label}
            labels={labels}
            source={source}
            active={active}
            chosen={chosen}
            multiple={isMultiple}
            onActive={setActive}
            onChoose={choose}
          />
        </Floating>
      ) : null}
      <span className="visually-hidden" role="status">
        {open ? statusOf(source, labels) : ''}
      </span>
    </span>
  );
}

function statusOf(source: ComboboxSource, labels: ComboboxLabels): string {
  if (source.state === 'error') return labels.failed;
  if (source.state === 'loading') return labels.loading;
  return source.options.length === 0 ? labels.empty : labels.count(source.options.length);
}
