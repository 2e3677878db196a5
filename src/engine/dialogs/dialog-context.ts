import { createContext, useContext, useLayoutEffect } from 'react';
import { setGuideMode } from './dialogs.ts';
import type { WindowOptions } from './descriptor.ts';

/** The place of a window in the stack, for the frame that draws it. */
export interface DialogPosition {
  /** Of the opening; `undefined` outside the stack. */
  key: number | undefined;
  /** It lies under another one. */
  isCovered: boolean;
  /** The tray is there and takes part in the Tab round. */
  isShared: boolean;
  isPrompt: boolean;
  /** The options that it was opened with. */
  options: WindowOptions;
}

export const DialogContext = createContext<DialogPosition>({
  key: undefined,
  isCovered: false,
  isShared: false,
  isPrompt: false,
  options: {},
});

/** Where the surrounding window is in the stack. */
export function useDialogPosition(): DialogPosition {
  return useContext(DialogContext);
}

/** Keeps keys from closing the surrounding window while it guides somebody; on a page it does nothing. */
export function useGuideMode(isGuiding: boolean): void {
  const { key } = useDialogPosition();
  useLayoutEffect(() => {
    if (key === undefined || !isGuiding) return undefined;
    setGuideMode(key, true);
    return () => setGuideMode(key, false);
  }, [key, isGuiding]);
}
