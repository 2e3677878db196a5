import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { translate } from '../../kernel/i18n/index.ts';
import { confirm } from '../dialogs/modal.ts';
import { guardUnsaved } from '../dialogs/unsaved.ts';
import type { FormModel } from './model-types.ts';

/** Asks before unsaved entries are lost; `true` to go on. Does not ask when nothing was changed. */
export async function confirmLoss(model: Pick<FormModel, 'isDirty'>): Promise<boolean> {
  if (!model.isDirty()) return true;
  return confirm({
    title: translate('form.unsaved.title'),
    promptContent: translate('form.unsaved.body'),
    confirmText: translate('form.unsaved.leave'),
    cancelText: translate('form.unsaved.stay'),
    danger: true,
  });
}

interface Surface {
  /** It is in the tray, where another page does it no harm. */
  isMinimized?: boolean;
  /** Closes what is not part of the page that is left. */
  onLeave?: () => void;
}

/** Guards a form's entries against another page in this tab, and against closing the tab. */
export function useUnsavedGuard(model: Pick<FormModel, 'isDirty'>, surface: Surface = {}): void {
  const latest = useRef(surface);
  useEffect(() => void (latest.current = surface));
  useEffect(
    () =>
      guardUnsaved({
        isDirty: model.isDirty,
        isLostByRoute: () => !latest.current.isMinimized,
        askToLeave: () => confirmLoss(model),
        leave: () => latest.current.onLeave?.(),
      }),
    [model],
  );
}

/** Guards entries that are in no form as `useUnsavedGuard` does. */
export function useEntriesGuard(isDirty: () => boolean): void {
  const latest = useRef(isDirty);
  useLayoutEffect(() => void (latest.current = isDirty));
  const [entries] = useState(() => ({ isDirty: () => latest.current() }));
  useUnsavedGuard(entries);
}
