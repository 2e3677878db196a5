import { useEffect, useRef } from 'react';
import { Button } from '../Button.tsx';
import { Icon } from '../Icon.tsx';
import styles from './fields.module.css';
import type { ComboboxLabels, ComboboxOption, ComboboxSource, ComboboxValue } from './Combobox.tsx';

export interface ComboboxListProps {
  id: string;
  label: string;
  labels: ComboboxLabels;
  source: ComboboxSource;
  active: number;
  chosen: ReadonlySet<ComboboxValue>;
  multiple: boolean;
  onActive: (index: number) => void;
  onChoose: (option: ComboboxOption) => void;
}

// Fetch the next page a little before the end is in sight.
const NEAR_END_PIXELS = 80;

/** The popup's inside: the options, or the word for loading, nothing found, failed. */
export function ComboboxList({ id, label, labels, source, active, chosen, multiple, onActive, onChoose }: ComboboxListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { options, state, hasMore, loadMore } = source;

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  function handleScroll(element: HTMLElement): void {
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (left < NEAR_END_PIXELS && hasMore && state === 'ready') loadMore();
  }

  return (
    // A press in the list must not take the focus out of the text.
    <div
      role="presentation"
      className={styles.list}
      onMouseDown={(event) => {
        if (!(event.target instanceof Element && event.target.closest('button'))) event.preventDefault();
      }}
      onMouseMove={(event) => {
        const index = indexAt(event.target);
        if (index !== undefined && index !== active) onActive(index);
      }}
      onClick={(event) => {
        const option = options[indexAt(event.target) ?? -1];
        if (option) onChoose(option);
      }}
    >
      {options.length > 0 ? (
        <div
          ref={list}
          id={id}
          role="listbox"
          aria-label={label}
          aria-multiselectable={multiple || undefined}
          // Browsers stop at what scrolls when Tab is pressed; it should leave the field, and close the list with that.
          tabIndex={-1}
          className={styles.scroll}
          onScroll={(event) => handleScroll(event.currentTarget)}
        >
          {options.map((option, index) => (
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={chosen.has(option.value)}
              className={styles.option}
              data-index={index}
              data-active={index === active || undefined}
            >
              <span className={styles.words}>
                <span>{option.label}</span>
                {option.detail ? <span className={styles.detail}>{option.detail}</span> : null}
              </span>
              {chosen.has(option.value) ? <Icon name="check" size={14} className={styles.tick} /> : null}
            </div>
          ))}
        </div>
      ) : null}
      {state === 'loading' ? <p className={styles.note}>{labels.loading}</p> : null}
      {state === 'ready' && options.length === 0 ? <p className={styles.note}>{labels.empty}</p> : null}
      {state === 'ready' && hasMore ? (
        <Button variant="link" tabIndex={-1} onClick={loadMore}>
          {labels.more}
        </Button>
      ) : null}
      {state === 'error' ? (
        <p className={styles.note} data-failed>
          {labels.failed}{' '}
          <Button variant="link" onClick={source.retry}>
            {labels.retry}
          </Button>
        </p>
      ) : null}
    </div>
  );
}

/** The position of the option under the pointer; the keyboard works in the text above. */
function indexAt(target: EventTarget): number | undefined {
  const option = target instanceof Element ? target.closest('[data-index]') : null;
  return option ? Number(option.getAttribute('data-index')) : undefined;
}
