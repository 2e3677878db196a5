import { useId, useState } from 'react';
import { translate, useT } from '../../kernel/i18n/index.ts';
import { FieldFrame, TextField } from '../../ui/index.ts';
import type { ReactNode } from 'react';

/**
 * Something that has to be typed before what destroys, or is for many, is confirmed. `isTyped` checks it, and says what is wrong at the field
 * and puts the focus there; `field` draws it, or nothing when `expected` is `undefined`.
 */
export function useTypedField(expected: string | undefined): { field: ReactNode; isTyped: () => boolean } {
  const t = useT();
  const id = useId();
  const [entry, setEntry] = useState<{ for: string; typed: string; error?: string }>();
  if (expected === undefined) return { field: null, isTyped: () => true };

  // What was typed for another number or name does not count.
  const { typed, error } = entry?.for === expected ? entry : { typed: '' };
  function isTyped(): boolean {
    if (typed.trim() === expected) return true;
    setEntry({ for: expected ?? '', typed, error: translate('dialogs.typed_wrong', { expected }) });
    document.getElementById(id)?.focus();
    return false;
  }
  const field = (
    <FieldFrame id={id} label={t('dialogs.typed_label', { expected })} error={error} isRequired>
      {(control) => (
        <TextField
          {...control}
          value={typed}
          hasAutofocus
          autoComplete="off"
          onChange={(value) => setEntry({ for: expected, typed: value })}
        />
      )}
    </FieldFrame>
  );
  return { field, isTyped };
}
