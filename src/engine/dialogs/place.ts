import { createContext, useContext } from 'react';
import type { WindowOptions } from './descriptor.ts';

/** The place of a window in the stack, for the frame that draws it. */
export interface DialogPlace {
  /** It lies under another one. */
  isCovered: boolean;
  /** The tray is there and takes part in the Tab round. */
  isShared: boolean;
  isPrompt: boolean;
  /** What it was told when it was opened. */
  look: WindowOptions;
}

export const PlaceContext = createContext<DialogPlace>({ isCovered: false, isShared: false, isPrompt: false, look: {} });

/** Where the surrounding window stands in the stack. */
export function useDialogPlace(): DialogPlace {
  return useContext(PlaceContext);
}
