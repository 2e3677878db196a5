import { useEffect } from 'react';
import { DialogHost, openDialog, registerDialog } from '../../engine/dialogs/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import { Brand } from '../../ui/index.ts';
import type { TermsProps } from './TermsDialog.tsx';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'account.terms': { props: TermsProps; result: undefined };
  }
}
registerDialog('account.terms', () => import('./TermsDialog.tsx'));

const reload = (): void => location.reload();

/** Nothing but the terms of service in a window: they are accepted, or one signs out (docs/behaviour.md section 4, Terms of service). */
export default function TermsScreen({ onSignOut, onAccepted = reload }: Omit<TermsProps, 'onAccepted'> & Partial<TermsProps>) {
  const t = useT();
  useWindowTitle(t('account.terms.title'));
  useEffect(() => {
    void openDialog('account.terms', { onSignOut, onAccepted }, { id: 'account.terms', prompt: true, hideHeaderControls: true });
  }, [onSignOut, onAccepted]);
  return (
    <main>
      <Brand />
      <DialogHost />
    </main>
  );
}
