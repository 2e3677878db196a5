import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { translate } from '../../kernel/i18n/index.ts';
import { confirm } from '../dialogs/dialogs.ts';
import type { FormModel } from './model.ts';

/** Asks before unsaved entries are lost; `true` to go on. Does not ask when nothing was changed. */
export async function confirmLoss(model: FormModel): Promise<boolean> {
  if (!model.isDirty()) return true;
  return confirm({
    title: translate('form.unsaved.title'),
    body: translate('form.unsaved.body'),
    confirmText: translate('form.unsaved.leave'),
    cancelText: translate('form.unsaved.stay'),
    danger: true,
  });
}

/** Guards a form's entries against another page in this tab, and against closing the tab. */
export function useUnsavedGuard(model: FormModel): void {
  useEffect(() => {
    function handleUnload(event: BeforeUnloadEvent): void {
      if (model.isDirty()) event.preventDefault();
    }
    window.addEventListener('beforeunload', handleUnload);
    return () => window.removeEventListener('beforeunload', handleUnload);
  }, [model]);

  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && model.isDirty());
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirmLoss(model).then((isSure) => (isSure ? blocker.proceed() : blocker.reset()));
  }, [blocker, model]);
}
