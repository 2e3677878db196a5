import { useRef, useState, type AriaAttributes } from 'react';
import { Button } from '../Button.tsx';
import { Icon } from '../Icon.tsx';
import { ChoiceList, Swatch } from './ChoiceList.tsx';
import type { ControlAttributes } from './FieldFrame.tsx';
import styles from './choice.module.css';

export type ComboboxValue = string | number;
export interface ComboboxOption {
  value: ComboboxValue;
  label: string;
  detail?: string;
  /** Any `#rrggbb`, shown beside the words. */
  color?: string;
}

/** What there is to choose from for the present search text. */
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
  /** The option that creates what was searched for. */
  create: (text: string) => string;
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
  /** Offers to create what was searched for and is not in the list; answers it, undefined where the user left it. */
  onCreate?: (text: string) => Promise<ComboboxOption | undefined>;
}

/** The value of the option that creates one; no record has it. */
const CREATE = '\u0000create';

// Fetch the next page a little before the end is in sight.
const NEAR_END_PIXELS = 80;

/**
 * Choosing from a list too long for a select, for one or several values: what is typed is searched by the caller, pages come as one scrolls.
 * Arrow keys move, Enter chooses, Escape closes the list only, Backspace in an empty text removes the last one.
 */
export function Combobox(props: ComboboxProps) {
  const { selected, isMultiple = false, query, source, labels, isClearable = false, disabled } = props;
  const { id, hasAutofocus, onQuery, onSelect, onOpen, onBlur } = props;
  const box = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const canClear = isClearable && !isMultiple && selected.length > 0 && !disabled;

  const text = query.trim();
  const canCreate = props.onCreate && text !== '' && source.state === 'ready' && !source.options.some(({ label }) => label === text);
  const options = canCreate ? [...source.options, { value: CREATE, label: labels.create(text), icon: 'plus' as const }] : source.options;

  async function create(): Promise<void> {
    setOpen(false);
    const made = await props.onCreate?.(text);
    if (!made) return;
    onQuery('');
    onSelect(isMultiple ? [...selected, made] : [made]);
  }

  function refocus(act: () => void): void {
    act();
    box.current?.querySelector('input')?.focus();
  }

  function handleOpenChange(next: boolean): void {
    setOpen(next);
    if (next) onOpen?.();
    else if (query !== '') onQuery('');
  }

  return (
    <span ref={box} className={canClear ? styles.clearable : styles.frame}>
      <ChoiceList
        id={id}
        aria={pickAria(props)}
        options={options}
        selected={selected}
        isMultiple={isMultiple}
        placeholder={labels.placeholder}
        hasAutofocus={hasAutofocus}
        disabled={disabled}
        search={{ text: query, onSearch: onQuery }}
        note={canCreate && !source.hasMore ? null : <ListNote source={source} labels={labels} />}
        renderTag={({ value, label: words, onClose }) => (
          <span key={String(value)} className={styles.chip}>
            <Swatch color={selected.find((option) => option.value === value)?.color} />
            {words}
            <button
              type="button"
              aria-label={labels.remove(String(words))}
              disabled={disabled}
              // Enter on this button is for the button, not for the list.
              onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && event.stopPropagation()}
              onClick={() => refocus(onClose)}
            >
              <Icon name="x" size={12} />
            </button>
          </span>
        )}
        onKeyDown={(event) => {
          const isEmptying = canClear && query === '' && (event.key === 'Backspace' || event.key === 'Delete');
          if (isEmptying && event.target instanceof HTMLInputElement) onSelect([]);
        }}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < NEAR_END_PIXELS && source.hasMore && source.state === 'ready') source.loadMore();
        }}
        isOpen={isOpen}
        onOpenChange={handleOpenChange}
        onSelect={(chosen) => {
          if (chosen.some(({ value }) => value === CREATE)) return void create();
          onSelect(chosen);
          if (!isMultiple || query === '') return;
          onQuery('');
          // What was searched for is found: the list would only cover the buttons below.
          setOpen(false);
        }}
        onBlur={onBlur}
      />
      {canClear ? (
        <button type="button" className={styles.clear} aria-label={labels.clear} onClick={() => refocus(() => onSelect([]))}>
          <Icon name="x" size={14} />
        </button>
      ) : null}
      <span className="visually-hidden" role="status">
        {isOpen ? statusOf(source, labels) : ''}
      </span>
    </span>
  );
}

function pickAria(props: ComboboxProps): AriaAttributes {
  return {
    'aria-label': props['aria-label'],
    'aria-labelledby': props['aria-labelledby'],
    'aria-invalid': props['aria-invalid'],
    'aria-describedby': props['aria-describedby'],
    'aria-required': props['aria-required'],
  };
}

/** The word for loading, nothing found, failed, and the way to more. */
function ListNote({ source, labels }: { source: ComboboxSource; labels: ComboboxLabels }) {
  const { state, hasMore, loadMore, retry, options } = source;
  if (state === 'loading') return <p className={styles.note}>{labels.loading}</p>;
  if (state === 'error')
    return (
      <p className={styles.note} data-failed>
        {labels.failed}{' '}
        <Button variant="link" onClick={retry}>
          {labels.retry}
        </Button>
      </p>
    );
  if (options.length === 0) return <p className={styles.note}>{labels.empty}</p>;
  if (!hasMore) return null;
  return (
    <Button variant="link" tabIndex={-1} onClick={loadMore}>
      {labels.more}
    </Button>
  );
}

function statusOf(source: ComboboxSource, labels: ComboboxLabels): string {
  if (source.state === 'error') return labels.failed;
  if (source.state === 'loading') return labels.loading;
  return source.options.length === 0 ? labels.empty : labels.count(source.options.length);
}
