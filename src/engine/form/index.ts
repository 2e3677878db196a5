import { registerDialog } from '../dialogs/registry.ts';
import './open-form.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

registerDialog(
  'form',
  withTexts(['dialogs', 'errors', 'form'], () => import('./FormDialog.tsx')),
);

export { registerWidget, type FormWidgetProps } from './theme/widgets.ts';
export { failureWords, setNavigate } from './after-submit.ts';
export { itemText } from './item-text.ts';
export { withoutSecrets } from './drafts.ts';
export { membersIn } from './prepare.ts';
export { keepOnLeave } from './keep-on-leave.ts';
export { requestOf, sendForm, type FormTarget } from './submit.ts';
export { registerFollowingExtension, registerFormExtension, registerPrefill } from './form-extensions.ts';
export { openForm } from './open-form.ts';
export { registerConfirmWords } from './confirm-words.ts';
export { registerFormPreview, type FormPreviewProps } from './FormPreview.tsx';
export { registerResultView } from './result-views.ts';
export type { OpenFormOptions } from './open-form.ts';
export type { ResultViewProps } from './result-views.ts';
export type { FormResult } from './submit.ts';
