import { useEffect, useRef } from 'react';
import { settings, useSetting } from './settings/index.ts';

const SETTING = 'single_key_shortcuts';

/** Whether single-key shortcuts are on; the user can turn them off (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  return settings.get(SETTING) !== false;
}

/** The switch of the settings page. */
export function useShortcutsSetting(): [boolean, (isOn: boolean) => Promise<void>] {
  const [value, set] = useSetting(SETTING);
  return [value !== false, set];
}

/** Runs on a single key, unless shortcuts are off, one is typing, or a dialog is open. */
export function useSingleKey(key: string, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (!areShortcutsOn() || isTyping(event.target) || isDialogOpen()) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [key]);
}

/** Whether keys typed into this element are text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit', 'range', 'color'].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Whether a window holds the page; those in the tray do not. Beside a tray a window is not `aria-modal`, and holds the page all the same. */
export function isDialogOpen(): boolean {
  return document.querySelector('[data-dialog]:not([hidden]), [aria-modal="true"], dialog[open]') !== null;
}
