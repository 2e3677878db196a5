import { useRef, useState } from 'react';
import { failureMessage } from '../../kernel/http/index.ts';
import type { FormEvent } from 'react';
import type { TryEntry } from '../../kernel/http/index.ts';
import type { DialogHandle } from './registry.ts';

interface EntryOptions {
  dialog: DialogHandle<true>;
  tryEntry: TryEntry;
  /** Said when nothing was entered. */
  missing: string;
  fieldId: string;
}

/** A code or password that is tried: taken, the window closes; refused, it stays open with the reason at its field. */
export function useEntry({ dialog, tryEntry, missing, fieldId }: EntryOptions) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isTrying = useRef(false);

  function refuse(message: string): void {
    setError(message);
    document.getElementById(fieldId)?.focus();
  }

  async function tryIt(entry: string): Promise<void> {
    if (isTrying.current) return;
    if (entry.trim() === '') return refuse(missing);
    isTrying.current = true;
    setBusy(true);
    // What is tried is the call itself: it must not be left half way.
    dialog.setLocked(true);
    try {
      const refusal = await tryEntry(entry);
      if (refusal) refuse(failureMessage(refusal));
      else dialog.close(true);
    } finally {
      isTrying.current = false;
      setBusy(false);
      dialog.setLocked(false);
    }
  }

  return {
    value,
    error,
    isBusy,
    /** Tries what was not typed, such as the answer of an authenticator. */
    tryIt,
    refuse,
    setValue(next: string): void {
      setValue(next);
      setError(undefined);
    },
    handleSubmit(event: FormEvent): void {
      event.preventDefault();
      event.stopPropagation();
      void tryIt(value);
    },
  };
}
