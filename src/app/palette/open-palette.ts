import { useEffect } from 'react';
import { openDialog, registerDialog } from '../../engine/dialogs/index.ts';
import { isDialogOpen } from '../../kernel/shortcuts.ts';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'shell.palette': { props: object; result: undefined };
  }
}
const loadPalette = () => import('./CommandPalette.tsx');
registerDialog('shell.palette', loadPalette);

/** Opens the command palette. */
export function openPalette(): void {
  void openDialog('shell.palette', {}, { id: 'palette', noPadding: true });
}

/** Ctrl+K or Cmd+K opens the palette, unless a dialog holds the page. */
export function usePaletteKey(): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      // The hand is on its way: what is typed at once after the shortcut must find the palette.
      if (event.key === 'Control' || event.key === 'Meta') void loadPalette().catch(() => undefined);
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (isDialogOpen()) return;
      event.preventDefault();
      openPalette();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}
