import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { useShortcutsSetting } from '../../kernel/shortcuts.ts';
import { getDialogs, mainWindow } from '../dialogs/index.ts';

export interface RowKeyHandlers {
  onToggle: (id: number) => void;
  onClear: () => void;
  onHelp: () => void;
}

const TYPING = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"]';
const FLOATING = '[role="menu"], [role="dialog"], [role="listbox"], [role="alertdialog"]';

/**
 * Keys of a list (docs/checks.md T9): j/k or arrows move, x ticks, Enter opens, `.` opens the row's menu, ? shows the help, Escape ends the
 * selection. The row is the one with the focus, so that a screen reader always knows where it is. The single letters can be turned off
 * in the account settings and in the help (WCAG 2.1.4).
 */
export function useRowKeys(region: RefObject<HTMLElement | null>, handlers: RowKeyHandlers): void {
  const [hasLetters] = useShortcutsSetting();
  const latest = useRef(handlers);
  useEffect(() => void (latest.current = handlers));

  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : document.body;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest(TYPING) || target.closest(FLOATING) || isCovered()) return;
      if (runKey(event.key, region.current, target, hasLetters, latest.current)) event.preventDefault();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [region, hasLetters]);
}

function runKey(key: string, region: HTMLElement | null, target: Element, hasLetters: boolean, handlers: RowKeyHandlers): boolean {
  const row = region?.contains(target) ? target.closest<HTMLElement>('[data-row-id]') : null;
  if (key === 'Escape') {
    handlers.onClear();
    return false;
  }
  // Arrows move rows only from within one: elsewhere they scroll, as everywhere.
  if (row && (key === 'ArrowDown' || key === 'ArrowUp')) return moveFocus(region, row, key === 'ArrowDown' ? 1 : -1);
  if (row && key === 'Enter' && !target.closest('a, button')) {
    row.querySelector<HTMLElement>('[data-row-focus]')?.click();
    return true;
  }
  if (!hasLetters) return false;
  if (key === 'j' || key === 'k') return moveFocus(region, row, key === 'j' ? 1 : -1);
  if (key === '?') {
    handlers.onHelp();
    return true;
  }
  if (row && key === 'x') {
    handlers.onToggle(Number(row.dataset['rowId']));
    return true;
  }
  if (row && key === '.') {
    row.querySelector<HTMLElement>('[data-row-menu]')?.click();
    return true;
  }
  return false;
}

function moveFocus(region: HTMLElement | null, from: HTMLElement | null, step: 1 | -1): boolean {
  const rows = [...(region?.querySelectorAll<HTMLElement>('[data-row-id]') ?? [])];
  const at = from ? rows.indexOf(from) + step : step === 1 ? 0 : rows.length - 1;
  const focusable = rows[at]?.querySelector<HTMLElement>('[data-row-focus]');
  focusable?.focus();
  return focusable !== undefined && focusable !== null;
}

/** A dialog lies over the list; a minimised one does not. */
function isCovered(): boolean {
  return mainWindow(getDialogs().stack) !== undefined;
}
