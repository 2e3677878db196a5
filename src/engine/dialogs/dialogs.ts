import { lazy } from 'react';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { EMPTY_STACK, mainWindow, minimizeRefusal, reduceStack } from './stack.ts';
import { getDialogLoader } from './registry.ts';
import type { ComponentType } from 'react';
import type { StackAction, StackState, StackWindow } from './stack.ts';
import type { WindowOptions } from './descriptor.ts';
import type { DialogName, DialogPropsOf, DialogResultOf, AnyDialogComponent, DialogHandle, TrayInfo } from './registry.ts';

/** What a window carries beside its place in the stack. */
interface WindowDetails {
  component: ComponentType<{ dialog: DialogHandle<never> }>;
  props: object;
  options: WindowOptions;
  settle: (result: unknown) => void;
  opener: Element | null;
  guard: (() => Promise<boolean>) | undefined;
  tray: TrayInfo;
  locked: boolean;
  guiding: boolean;
  /** A guard is asking already. */
  asking: boolean;
}

export interface DialogsSnapshot {
  stack: StackState;
  details: ReadonlyMap<number, WindowDetails>;
}

let snapshot: DialogsSnapshot = { stack: EMPTY_STACK, details: new Map() };
let nextKey = 1;
const listeners = new Set<() => void>();
const lazyComponents = new Map<string, ComponentType<{ dialog: DialogHandle<never> }>>();

function publish(next: DialogsSnapshot): void {
  snapshot = next;
  for (const listener of listeners) listener();
}

function dispatch(action: StackAction): void {
  const stack = reduceStack(snapshot.stack, action);
  if (stack === snapshot.stack) return;
  const kept = new Set(stack.windows.map((window) => window.key));
  publish({ stack, details: new Map([...snapshot.details].filter(([key]) => kept.has(key))) });
}

function patchDetails(key: number, patch: Partial<WindowDetails>): void {
  const found = snapshot.details.get(key);
  if (!found) return;
  publish({ ...snapshot, details: new Map(snapshot.details).set(key, { ...found, ...patch }) });
}

/** For useSyncExternalStore. */
export function subscribeDialogs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The stack and what its windows show. */
export function getDialogs(): DialogsSnapshot {
  return snapshot;
}

function componentOf(name: string): ComponentType<{ dialog: DialogHandle<never> }> {
  let component = lazyComponents.get(name);
  if (!component) {
    component = lazy<AnyDialogComponent>(getDialogLoader(name));
    lazyComponents.set(name, component);
  }
  return component;
}

/**
 * Opens a dialog by name. Answers its result, or `undefined` when it was dismissed or replaced by another opening
 * of the same id. Throws when no dialog of that name is registered.
 */
export function openDialog<N extends DialogName>(
  name: N,
  props: DialogPropsOf<N>,
  options: WindowOptions = {},
): Promise<DialogResultOf<N> | undefined> {
  const component = componentOf(name);
  const id = options.id ?? name;
  const key = nextKey++;
  const replaced = snapshot.stack.windows.find((window) => window.id === id);
  const replacedDetails = replaced && snapshot.details.get(replaced.key);
  // Replacing must not lose the way back: the first opener gets the focus in the end.
  const opener = replacedDetails?.opener ?? document.activeElement;
  return new Promise((resolve) => {
    const details: WindowDetails = {
      component,
      props,
      options,
      // Only the component registered under the same name gets this handle, so the result is of that name's type.
      settle: (result) => resolve(result as DialogResultOf<N> | undefined),
      opener,
      guard: undefined,
      tray: { title: options.title ?? '' },
      locked: false,
      guiding: false,
      asking: false,
    };
    const { prompt = false, minimized = false, fullscreen = false, mainModal = true } = options;
    const opened: StackWindow = { key, id, name, prompt, minimized, fullscreen };
    const stack = reduceStack(snapshot.stack, { type: 'open', window: opened, isBelow: !mainModal });
    const kept = [...snapshot.details].filter(([other]) => other !== replaced?.key);
    publish({ stack, details: new Map([...kept, [key, details]]) });
    replacedDetails?.settle(undefined);
  });
}

/** An id that no other opening has. */
export function newDialogId(name: string): string {
  return `${name}:${nextKey}`;
}

/** Closes a window without asking its guard. */
export function closeDialog(key: number, result?: unknown): void {
  const found = snapshot.details.get(key);
  if (!found) return;
  dispatch({ type: 'close', key });
  found.settle(result);
}

/** Closes every window without asking: for sign-out. */
export function closeAllDialogs(): void {
  for (const window of [...snapshot.stack.windows].reverse()) closeDialog(window.key);
}

/** Closes a window as Escape, the cross and the backdrop do: not while locked, and only if its guard lets it. */
export async function requestCloseDialog(key: number): Promise<void> {
  const found = snapshot.details.get(key);
  if (!found || found.locked || found.asking) return;
  if (found.guard) {
    patchDetails(key, { asking: true });
    const allowed = await found.guard();
    patchDetails(key, { asking: false });
    if (!allowed) return;
  }
  closeDialog(key);
}

/** While a window guides somebody through steps outside it, no key closes it. */
export function setGuideMode(key: number, on: boolean): void {
  patchDetails(key, { guiding: on });
}

/** Escape in the main window (docs/behaviour.md section 4, Dialogs): closes it like its cross, unless it has none or guides somebody. */
export function escapeDialog(): void {
  const main = mainWindow(snapshot.stack);
  const details = main && snapshot.details.get(main.key);
  if (details && !details.guiding && !hasNoControls(details.options)) void requestCloseDialog(main.key);
}

/** Whether a window was opened without its cross, so that neither Escape nor a press beside it closes it. */
export function hasNoControls(options: WindowOptions | undefined): boolean {
  return options?.hideHeader === true || options?.hideHeaderControls === true;
}

/** The window that has the focus now. */
export function getMainWindow(): StackWindow | undefined {
  return mainWindow(snapshot.stack);
}

/** Minimises a window into the tray, or says that five are there already. */
export function minimizeDialog(key: number): void {
  if (minimizeRefusal(snapshot.stack, key) === 'limit') toasts.warning(translate('dialogs.minimize_limit'));
  else dispatch({ type: 'minimize', key });
}

/** Brings a window back from the tray, on top. */
export function restoreDialog(key: number): void {
  dispatch({ type: 'restore', key });
}

/** Makes the handle that a window's component gets; its functions never change for one opening. */
export function makeHandle(key: number): Omit<DialogHandle<never>, 'id' | 'minimized' | 'fullscreen'> {
  return {
    key,
    close: (result) => closeDialog(key, result),
    requestClose: () => void requestCloseDialog(key),
    minimize: () => minimizeDialog(key),
    restore: () => restoreDialog(key),
    setFullscreen: (on) => dispatch({ type: 'fullscreen', key, on }),
    setGuard: (guard) => {
      if (snapshot.details.get(key)?.guard !== guard) patchDetails(key, { guard });
    },
    setTray: (tray) => {
      const before = snapshot.details.get(key)?.tray;
      if (before?.title !== tray.title || before.percent !== tray.percent) patchDetails(key, { tray });
    },
    setLocked: (locked) => {
      if (snapshot.details.get(key)?.locked !== locked) patchDetails(key, { locked });
    },
  };
}
