import { useEffect, useRef } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { TOAST_POSITIONS, toasts, useToasts, type Toast, type ToastPosition, type ToastType } from '../kernel/toasts/index.ts';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import { returnFocus } from './dialog/focus.ts';
import { Icon, type IconName } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './Toasts.module.css';

export const TOAST_ICONS: Record<ToastType, IconName> = {
  default: 'info',
  info: 'info',
  success: 'circle-check',
  error: 'circle-alert',
  warning: 'triangle-alert',
};

/** The toasts, over everything, each at its edge of the page; one place for the whole console. */
export function Toasts() {
  const t = useT();
  const list = useToasts();
  const region = useRef<HTMLDivElement>(null);
  useTopLayer(region, list.length);
  usePause(region);
  return (
    <div
      ref={region}
      popover="manual"
      role="region"
      data-above-dialogs
      data-toasts
      aria-label={t('toasts.region')}
      className={cx(styles.region, list.length === 0 && styles.none)}
    >
      {TOAST_POSITIONS.map((position) => (
        <ToastStack key={position} position={position} list={list.filter((toast) => toast.position === position)} />
      ))}
    </div>
  );
}

/** What was opened since would cover them: the newest shown is on top of the browser's top layer. */
function useTopLayer(region: React.RefObject<HTMLDivElement | null>, count: number): void {
  useEffect(() => {
    const element = region.current;
    if (!element || !('showPopover' in element) || count === 0) return;
    if (element.matches(':popover-open')) element.hidePopover();
    element.showPopover();
  }, [region, count]);
}

/** Time stops while the pointer or the focus is on a toast. A toast that goes gives the focus back to where it came from. */
function usePause(region: React.RefObject<HTMLDivElement | null>): void {
  const cameFrom = useRef<Element>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    const element = region.current;
    if (!element) return undefined;
    const handleFocusIn = ({ relatedTarget }: FocusEvent): void => {
      hadFocus.current = true;
      if (relatedTarget instanceof Element && !element.contains(relatedTarget)) cameFrom.current = relatedTarget;
      toasts.pause();
    };
    const handleFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Node && element.contains(relatedTarget)) return;
      // Whether it was removed shows only afterwards; who left what is still there does not want the focus back.
      queueMicrotask(() => {
        if (target instanceof Node && target.isConnected) hadFocus.current = false;
      });
      if (!element.matches(':hover')) toasts.resume();
    };
    const handleLeave = (): void => {
      if (!element.contains(document.activeElement)) toasts.resume();
    };
    element.addEventListener('pointerenter', toasts.pause);
    element.addEventListener('pointerleave', handleLeave);
    element.addEventListener('focusin', handleFocusIn);
    element.addEventListener('focusout', handleFocusOut);
    return () => {
      element.removeEventListener('pointerenter', toasts.pause);
      element.removeEventListener('pointerleave', handleLeave);
      element.removeEventListener('focusin', handleFocusIn);
      element.removeEventListener('focusout', handleFocusOut);
    };
  }, [region]);
  useEffect(() => {
    const element = region.current;
    if (!element || element.contains(document.activeElement)) return;
    // A removed element reports neither of its blur nor of the pointer's leaving.
    if (!element.matches(':hover')) toasts.resume();
    if (!hadFocus.current || document.activeElement !== document.body) return;
    hadFocus.current = false;
    // Of another toast, not the one that dismisses all.
    const next = element.querySelector<HTMLElement>('[role="alert"] button, [role="status"] button');
    if (next) next.focus();
    else returnFocus(cameFrom.current);
  });
}

/** As many are a burden to close one by one. */
const MANY = 3;

function ToastStack({ position, list }: { position: ToastPosition; list: readonly Toast[] }) {
  const t = useT();
  if (list.length === 0) return null;
  return (
    <div className={styles.stack} data-position={position}>
      {list.filter(({ isDismissible = true }) => isDismissible).length >= MANY ? (
        <Button
          size="small"
          className={styles.all}
          onClick={() => list.forEach(({ id, isDismissible = true }) => isDismissible && toasts.close(id))}
        >
          {t('toasts.dismiss_all')}
        </Button>
      ) : null}
      {list.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastBox({ toast }: { toast: Toast }) {
  const t = useT();
  const { action, isDismissible = true } = toast;
  const handleAction = () => {
    toasts.close(toast.id);
    action?.run();
  };
  // Words that were just selected are to be copied, not to go away.
  const handleClick = () => {
    if (isDismissible && (getSelection()?.isCollapsed ?? true)) toasts.close(toast.id);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the cross does the same by keyboard.
    <div
      role={toast.type === 'error' ? 'alert' : 'status'}
      className={cx(styles.toast, styles[toast.type], toast.isClosing && styles.closing, isDismissible && styles.dismissible)}
      onClick={handleClick}
    >
      <Icon name={TOAST_ICONS[toast.type]} className={styles.icon} />
      <span className={styles.text}>{toast.message}</span>
      {action ? (
        <Button variant="link" onClick={handleAction}>
          {action.label}
        </Button>
      ) : null}
      {isDismissible ? <IconButton icon="x" size="small" label={t('common.dismiss')} onClick={() => toasts.close(toast.id)} /> : null}
    </div>
  );
}
