import { helpAddress } from '../../kernel/help.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { DialogFrame } from '../../ui/index.ts';
import { useDialogPosition } from './dialog-context.ts';
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
  /** An entry of `schemas/help.json`. */
  help?: string;
  footer?: ReactNode;
  children: ReactNode;
}

/** The frame of a dialog opened by `openDialog`, wired to its place in the stack. Options given when it was opened take precedence over its own. */
export function DialogWindow({ dialog, canMinimize, canFullscreen, hidesClose, help, ...frame }: DialogWindowProps) {
  const t = useT();
  const { options, ...place } = useDialogPosition();
  const title = options.title ?? frame.title;
  const helpUrl = helpAddress(options.helpLinkKey ?? help);
  const hasControls = !options.hideHeaderControls;
  const mayMinimize = hasControls && canMinimize && !place.isPrompt && !options.minimizeDisable;
  return (
    <DialogFrame
      {...frame}
      title={title}
      subtitle={options.subtitle ?? frame.subtitle}
      isCovered={place.isCovered}
      isShared={place.isShared}
      isFullscreen={dialog.fullscreen}
      hidesHeader={options.hideHeader}
      hasNoPadding={options.noPadding}
      help={helpUrl === undefined ? undefined : { address: helpUrl, label: t('dialogs.help_of', { title }) }}
      labels={{
        close: t('dialogs.close'),
        minimize: t('dialogs.minimize'),
        fullscreen: t('dialogs.fullscreen'),
        leaveFullscreen: t('dialogs.leave_fullscreen'),
      }}
      onClose={hasControls && !hidesClose ? dialog.requestClose : undefined}
      onMinimize={mayMinimize ? dialog.minimize : undefined}
      onFullscreen={hasControls && (options.fullScreenControl ?? canFullscreen) ? dialog.setFullscreen : undefined}
    />
  );
}
