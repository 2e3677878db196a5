import { Component, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useInRouterContext } from 'react-router';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { DialogLayer, DialogLoading, DialogSlot, DialogText, returnFocus, trapTab, Tray } from '../../ui/index.ts';
import { useDialogLinks } from './dialog-links.ts';
import { useRouteGuard } from './unsaved.ts';
import { DialogWindow } from './DialogWindow.tsx';
import { DialogContext } from './dialog-context.ts';
import { escapeDialog, getDialogs, hasNoControls, makeHandle, requestCloseDialog, restoreDialog, subscribeDialogs } from './dialogs.ts';
import { mainWindow, minimizedWindows } from './stack.ts';
import type { MouseEvent, ReactNode } from 'react';
import type { DialogHandle } from './registry.ts';
import type { DialogsSnapshot } from './dialogs.ts';
import type { StackWindow } from './stack.ts';

/**
 * Draws the dialog stack; mounted once, inside the app's providers. Holds the rules for all dialogs: the page behind is inert and
 * does not scroll, Tab stays in the main window (and the tray), Escape closes the top one only, the focus goes back to the opener.
 */
export function DialogHost() {
  const snapshot = useSyncExternalStore(subscribeDialogs, getDialogs, getDialogs);
  const t = useT();
  const hasRouter = useInRouterContext();
  const layer = useRef<HTMLDivElement>(null);
  const main = mainWindow(snapshot.stack);
  const minimized = minimizedWindows(snapshot.stack);

  useBackgroundInert(layer, main !== undefined);
  useKeys(layer);
  useFocusReturn(snapshot);

  return createPortal(
    <DialogLayer ref={layer}>
      {snapshot.stack.windows.map((window) => (
        <WindowSlot key={window.key} window={window} snapshot={snapshot} isMain={window === main} shared={minimized.length > 0} />
      ))}
      {hasRouter ? <RouteTies snapshot={snapshot} /> : null}
      <Tray
        chips={minimized.map((window) => {
          const { tray, options } = snapshot.details.get(window.key) ?? {};
          // Windows of one kind are distinguished by what they are about.
          const title = [tray?.title, options?.subtitle].filter(Boolean).join(' · ');
          return { key: window.key, title, percent: tray?.percent };
        })}
        label={t('dialogs.tray')}
        closeLabel={(title) => t('dialogs.close_named', { title })}
        formatPercent={(percent) => t('dialogs.percent', { percent: formatNumber(percent) })}
        onRestore={restoreDialog}
        onClose={(key) => void requestCloseDialog(key)}
      />
    </DialogLayer>,
    document.body,
  );
}

/** What ties the windows to the address; the pages before signing in have none. */
function RouteTies({ snapshot }: { snapshot: DialogsSnapshot }) {
  useDialogLinks(snapshot);
  useRouteGuard();
  return null;
}

const NO_OPTIONS = {};

interface SlotProps {
  window: StackWindow;
  snapshot: DialogsSnapshot;
  isMain: boolean;
  shared: boolean;
}

function WindowSlot({ window, snapshot, isMain, shared }: SlotProps) {
  const details = snapshot.details.get(window.key);
  const functions = useMemo(() => makeHandle(window.key), [window.key]);
  const { id, minimized, fullscreen, prompt } = window;
  const handle = useMemo<DialogHandle<never>>(() => ({ ...functions, id, minimized, fullscreen }), [functions, id, minimized, fullscreen]);
  const options = details?.options ?? NO_OPTIONS;
  const { key } = window;
  const place = useMemo(
    () => ({ key, isCovered: !isMain, isShared: shared, isPrompt: prompt, options }),
    [key, isMain, shared, prompt, options],
  );
  const pressedOn = useRef<EventTarget>(null);
  if (!details) return null;
  const Content = details.component;

  // A press that begins in a field and ends on the backdrop (selecting text) is not meant to close.
  function handleBackdropClick(event: MouseEvent<HTMLDivElement>): void {
    const isBeside = event.target === event.currentTarget && pressedOn.current === event.currentTarget;
    if (isBeside && !prompt && !hasNoControls(options)) functions.requestClose();
  }

  return (
    <DialogSlot
      id={id}
      isHidden={minimized}
      isInert={!isMain}
      onMouseDown={(event) => (pressedOn.current = event.target)}
      onClick={handleBackdropClick}
    >
      <DialogContext value={place}>
        <Boundary fallback={<FailedWindow dialog={handle} />}>
          <Suspense fallback={<LoadingWindow dialog={handle} />}>
            <Content {...details.props} dialog={handle} />
          </Suspense>
        </Boundary>
      </DialogContext>
    </DialogSlot>
  );
}

function LoadingWindow({ dialog }: { dialog: DialogHandle<never> }) {
  const t = useT();
  return (
    <DialogWindow dialog={dialog} title={t('dialogs.loading')}>
      <DialogLoading />
    </DialogWindow>
  );
}

function FailedWindow({ dialog }: { dialog: DialogHandle<never> }) {
  const t = useT();
  return (
    <DialogWindow dialog={dialog} title={t('dialogs.failed')} size="small">
      <DialogText>{t('dialogs.failed_hint')}</DialogText>
    </DialogWindow>
  );
}

/** A window that breaks says so in its own frame; the page and the other windows go on. */
class Boundary extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override componentDidCatch(error: unknown): void {
    reportError(error);
  }
  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

/** While a window is open everything else on the page is inert and the page does not scroll; toasts (`data-above-dialogs`) stay alive. */
function useBackgroundInert(layer: React.RefObject<HTMLDivElement | null>, active: boolean): void {
  useLayoutEffect(() => {
    if (!active) return;
    const root = document.documentElement;
    const gap = window.innerWidth - root.clientWidth;
    const made = makeInert(document.body, layer.current);
    root.dataset['scrollLocked'] = '';
    // The scrollbar's width is kept free, so that nothing behind jumps.
    if (gap > 0) document.body.style.paddingInlineEnd = `${gap}px`;
    return () => {
      for (const element of made) element.removeAttribute('inert');
      delete root.dataset['scrollLocked'];
      document.body.style.paddingInlineEnd = '';
    };
  }, [active, layer]);
}

/** Makes everything in `parent` inert except `spared` and what carries `data-above-dialogs`; answers what was made so. */
function makeInert(parent: Element, spared: Element | null): HTMLElement[] {
  return [...parent.children].flatMap((element) => {
    if (
      !(element instanceof HTMLElement) ||
      element === spared ||
      element.hasAttribute('inert') ||
      element.matches('script, style, [data-above-dialogs]')
    )
      return [];
    if (element.querySelector('[data-above-dialogs]')) return makeInert(element, spared);
    element.setAttribute('inert', '');
    return [element];
  });
}

function useKeys(layer: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    function handleKeyDown(event: KeyboardEvent): void {
      const main = mainWindow(getDialogs().stack);
      if (!main || event.defaultPrevented || event.isComposing) return;
      if (event.key === 'Escape') {
        event.preventDefault();
        escapeDialog();
        return;
      }
      const inside = layer.current?.querySelectorAll('[data-dialog]:not([inert]) [role$="dialog"], [data-tray]') ?? [];
      trapTab(event, [...inside, ...document.querySelectorAll('[data-toasts]')]);
    }
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [layer]);
}

/** When the main window goes (closed or minimised), the focus goes to the one below, or back to who opened it. */
function useFocusReturn(snapshot: DialogsSnapshot): void {
  const main = mainWindow(snapshot.stack);
  const before = useRef<{ key: number; opener: Element | null }>(undefined);
  const opener = main ? (snapshot.details.get(main.key)?.opener ?? null) : null;
  useEffect(() => {
    const previous = before.current;
    before.current = main ? { key: main.key, opener } : undefined;
    if (!previous || previous.key === main?.key) return;
    if (main && document.querySelector('[data-dialog]:not([inert])')?.contains(document.activeElement)) return;
    if (main && !isAbove(previous.opener)) return;
    returnFocus(previous.opener);
  }, [main, opener]);
}

function isAbove(element: Element | null): boolean {
  return element?.isConnected === true && element.closest('[data-dialog]:not([inert])') !== null;
}
