import { registerDialog } from './registry.ts';

registerDialog('confirm', () => import('./ConfirmDialog.tsx'));
registerDialog('prompt', () => import('./PromptDialog.tsx'));

export { DialogHost } from './DialogHost.tsx';
export { DialogWindow } from './DialogWindow.tsx';
export { closeAllDialogs, closeDialog, confirm, getDialogs, openDialog, prompt, subscribeDialogs } from './dialogs.ts';
export { mainWindow } from './stack.ts';
export { registerDialog } from './registry.ts';
export type { ConfirmProps, DialogComponent, DialogHandle, DialogTypes, PromptProps } from './registry.ts';
