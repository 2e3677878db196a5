import type { ReactNode } from 'react';

/** For a form whose buttons are outside of it: without a submit button inside, Enter in a field sends nothing. */
export function HiddenSubmit({ children }: { children: ReactNode }) {
  return (
    <button type="submit" hidden tabIndex={-1} aria-hidden="true">
      {children}
    </button>
  );
}
