import { useT } from '../../kernel/i18n/index.ts';
import { DialogFrame } from '../../ui/dialog/DialogFrame.tsx';
import { useDialogPlace } from './place.ts';
import type { ReactNode } from 'react';
import type { DialogHandle } from './registry.ts';

export interface DialogWindowProps {
  dialog: Pick<DialogHandle<never>, 'requestClose' | 'minimize' | 'setFullscreen' | 'fullscreen'>;
  title: string;
  subtitle?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  isAlert?: boolean;
  canMinimize?: boolean;
  canFullscreen?: boolean;
  /** No cross; Escape must be locked by the handle. */
  hidesClose?: boolean;
  footer?: ReactNode;
  children: ReactNode;
}

/** The frame of a dialog opened by `openDialog`, wired to its place in the stack. */
export function DialogWindow({ dialog, canMinimize, canFullscreen, hidesClose, ...frame }: DialogWindowProps) {
  const t = useT();
  const place = useDialogPlace();
  return (
    <DialogFrame
      {...frame}
      isCovered={place.isCovered}
      isShared={place.isShared}
      isFullscreen={dialog.fullscreen}
      labels={{
        close: t('dialogs.close'),
        minimize: t('dialogs.minimize'),
        fullscreen: t('dialogs.fullscreen'),
        leaveFullscreen: t('dialogs.leave_fullscreen'),
      }}
      onClose={hidesClose ? undefined : dialog.requestClose}
      onMinimize={canMinimize && !place.isPrompt ? dialog.minimize : undefined}
      onFullscreen={canFullscreen ? dialog.setFullscreen : undefined}
    />
  );
}
