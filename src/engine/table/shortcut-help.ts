import { registerDialog } from '../dialogs/index.ts';

declare module '../dialogs/registry.ts' {
  interface DialogTypes {
    'table.shortcuts': { props: object; result: undefined };
  }
}

registerDialog('table.shortcuts', () => import('./ShortcutHelp.tsx'));
