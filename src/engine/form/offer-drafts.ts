import { textOf, translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { openDialog } from '../dialogs/index.ts';
import { draftsOf } from './drafts.ts';
import { openForm } from './index.ts';

/** After signing in again: says which windows had entries, and opens them again. A form page finds its own entries by itself. */
export function offerDrafts(userId: number): void {
  for (const { formId, title, target, isWindow, job } of draftsOf(userId)) {
    if (!isWindow) continue;
    const { id, devices } = target;
    toasts.info(translate('drafts.kept_in', { form: textOf(title) }), {
      durationMs: Number.POSITIVE_INFINITY,
      action: {
        label: translate('drafts.open'),
        run: () => {
          if (job) void openDialog('job.start', job);
          else void openForm(formId, { ...(id === undefined ? {} : { record: { id } }), ...(devices ? { selection: devices } : {}) });
        },
      },
    });
  }
}
