import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

const CONTROL = 'input:not([disabled]), button:not([disabled]), select, textarea';

/** Puts the focus on the first control of a panel whose code came after the panel was opened. */
export function useFirstFocus<E extends HTMLElement>(): RefObject<E | null> {
  const panel = useRef<E>(null);
  useEffect(() => {
    const element = panel.current;
    if (element && !element.contains(document.activeElement)) element.querySelector<HTMLElement>(CONTROL)?.focus();
  }, []);
  return panel;
}
