import { useEffect } from 'react';
import { openDialog, registerDialog } from '../../engine/dialogs/index.ts';
import { isDialogOpen } from '../../kernel/shortcuts.ts';
import { keepTyped, type Typed } from './keep-typed.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'shell.palette': { props: { typed: Typed }; result: undefined };
  }
}
registerDialog(
  'shell.palette',
  withTexts(['notifications'], () => import('./CommandPalette.tsx')),
);

/** Opens the command palette. What is typed before its code has come is in its box. */
export function openPalette(): void {
  const typed = keepTyped();
  void openDialog('shell.palette', { typed }, { id: 'palette', noPadding: true }).finally(typed.stop);
}

/** Ctrl+K or Cmd+K opens the palette, unless a dialog holds the page. */
export function usePaletteKey(): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (isDialogOpen()) return;
      event.preventDefault();
      openPalette();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}
