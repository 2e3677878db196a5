import type { ComponentType } from 'react';
import type { QuestionModal, QuestionAnswer } from './descriptor.ts';

/** What a dialog's own component can do with its window. */
export interface DialogHandle<R> {
  key: number;
  id: string;
  minimized: boolean;
  fullscreen: boolean;
  /** Closes and answers the opener. */
  close: (result?: R) => void;
  /** Closes like Escape and the cross do: after asking the guard. */
  requestClose: () => void;
  minimize: () => void;
  restore: () => void;
  setFullscreen: (on: boolean) => void;
  /** While set, `requestClose` asks it first; `false` keeps the window open. */
  setGuard: (guard: (() => Promise<boolean>) | undefined) => void;
  /** What the tray shows while minimised; `percent` 0 to 100. */
  setTray: (tray: TrayInfo) => void;
  /** Escape, the cross and the backdrop do nothing while locked. */
  setLocked: (locked: boolean) => void;
}

export interface TrayInfo {
  title: string;
  percent?: number;
}

export type DialogComponent<N extends DialogName> = ComponentType<DialogPropsOf<N> & { dialog: DialogHandle<DialogResultOf<N>> }>;
type Loader<N extends DialogName> = () => Promise<{ default: DialogComponent<N> }>;

/** A registered dialog with its types forgotten; `registerDialog` is the only door in, so they fit. */
export type AnyDialogComponent = ComponentType<{ dialog: DialogHandle<never> }>;
const loaders = new Map<string, () => Promise<{ default: AnyDialogComponent }>>();

/** Makes a dialog openable by name; its code is fetched when it is first opened. */
export function registerDialog<N extends DialogName>(name: N, load: Loader<N>): void {
  // The names of DialogTypes tie props and component together at both doors; a map of mixed types cannot say so.
  loaders.set(name, load as unknown as () => Promise<{ default: AnyDialogComponent }>);
}

/** The loader of a dialog; throws, naming the dialog, when nobody registered it. */
export function getDialogLoader(name: string): () => Promise<{ default: AnyDialogComponent }> {
  const load = loaders.get(name);
  if (!load) throw new Error(`No dialog named "${name}". Registered: ${[...loaders.keys()].join(', ') || 'none'}`);
  return load;
}

/**
 * Every dialog by name: what it is given and what it answers. A room adds its own by declaration merging:
 * `declare module '<path>/engine/dialogs/registry.ts' { interface DialogTypes { 'job.start': { props: …; result: … } } }`.
 */
export interface DialogTypes {
  question: { props: QuestionModal; result: QuestionAnswer };
}

export type DialogName = keyof DialogTypes & string;

export type DialogPropsOf<N extends DialogName> = DialogTypes[N]['props'];

export type DialogResultOf<N extends DialogName> = DialogTypes[N]['result'];
