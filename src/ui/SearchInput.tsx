import { useEffect, useRef, useState } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { IconButton } from './IconButton.tsx';
import { TextInput } from './TextInput.tsx';

interface SearchInputProps {
  /** Its name for screen readers, and the place-holder. */
  label: string;
  value: string;
  /** Called with the trimmed text after a pause, at once on Enter and on clearing. */
  onChange(value: string): void;
  /** The pause in milliseconds; 300 unless set. */
  waitMs?: number;
  className?: string;
}

/** A search box that waits for a pause in typing. */
export function SearchInput({ label, value, onChange, waitMs = 300, className }: SearchInputProps) {
  const t = useT();
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [seen, setSeen] = useState(value);
  const [reported, setReported] = useState(value);
  // A value from outside (a link, "clear filters") wins over what was typed; our own answer coming back does not.
  if (value !== seen) {
    setSeen(value);
    if (value !== reported) {
      setReported(value);
      setText(value);
    }
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const report = (next: string) => {
    clearTimeout(timer.current);
    const trimmed = next.trim();
    if (trimmed === reported) return;
    setReported(trimmed);
    onChange(trimmed);
  };
  const handleType = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => report(next), waitMs);
  };
  const handleClear = () => {
    setText('');
    report('');
  };
  return (
    <TextInput
      type="search"
      icon="search"
      aria-label={label}
      placeholder={label}
      value={text}
      className={className}
      onChange={(event) => handleType(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') report(text);
        if (event.key === 'Escape' && text !== '') {
          event.stopPropagation();
          handleClear();
        }
      }}
      after={text === '' ? '' : <IconButton icon="x" size="small" label={t('common.clearSearch')} onClick={handleClear} />}
    />
  );
}
