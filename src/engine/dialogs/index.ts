import { installCallPrompts } from './call-prompts.ts';
import { registerDialog } from './registry.ts';

installCallPrompts();
registerDialog('question', () => import('./QuestionDialog.tsx'));

export { DialogHost } from './DialogHost.tsx';
export { DialogWindow } from './DialogWindow.tsx';
export { closeAllDialogs, closeDialog, getDialogs, openDialog, subscribeDialogs } from './dialogs.ts';
export { useGuideMode } from './dialog-context.ts';
export { confirm, openModal, prompt } from './modal.ts';
export { mainWindow } from './stack.ts';
export { registerDialog } from './registry.ts';
export type { QuestionModal, WindowOptions } from './descriptor.ts';
export type { DialogComponent, DialogHandle } from './registry.ts';
export type { DialogTypes } from './registry.ts';
