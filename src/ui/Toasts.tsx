import { useEffect, useRef } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { toasts, useToasts, type Toast, type ToastType } from '../kernel/toasts/index.ts';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './Toasts.module.css';

const ICONS: Record<ToastType, IconName> = {
  default: 'info',
  info: 'info',
  success: 'circle-check',
  error: 'circle-alert',
  warning: 'triangle-alert',
};

/** The toasts, at the top end of the page, over everything; one place for the whole console. */
export function Toasts() {
  const t = useT();
  const list = useToasts();
  const region = useRef<HTMLDivElement>(null);
  // A modal dialog opened since would cover it: the newest shown is on top of the browser's top layer.
  useEffect(() => {
    const element = region.current;
    if (!element || !('showPopover' in element) || list.length === 0) return;
    if (element.matches(':popover-open')) element.hidePopover();
    element.showPopover();
  }, [list.length]);
  useEffect(() => {
    const element = region.current;
    const pausing = ['pointerenter', 'focusin'];
    const resuming = ['pointerleave', 'focusout'];
    for (const name of pausing) element?.addEventListener(name, toasts.pause);
    for (const name of resuming) element?.addEventListener(name, toasts.resume);
    return () => {
      for (const name of pausing) element?.removeEventListener(name, toasts.pause);
      for (const name of resuming) element?.removeEventListener(name, toasts.resume);
    };
  }, []);
  return (
    <div
      ref={region}
      popover="manual"
      role="region"
      data-above-dialogs
      aria-label={t('toasts.region')}
      className={cx(styles.region, list.length === 0 && styles.none)}
    >
      {list.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastBox({ toast }: { toast: Toast }) {
  const t = useT();
  const { action } = toast;
  const handleAction = () => {
    toasts.close(toast.id);
    action?.run();
  };
  return (
    <div
      role={toast.type === 'error' ? 'alert' : 'status'}
      className={cx(styles.toast, styles[toast.type], toast.isClosing && styles.closing)}
    >
      <Icon name={ICONS[toast.type]} className={styles.icon} />
      <span className={styles.text}>{toast.message}</span>
      {action ? (
        <Button variant="link" onClick={handleAction}>
          {action.label}
        </Button>
      ) : null}
      <IconButton icon="x" size="small" label={t('common.dismiss')} onClick={() => toasts.close(toast.id)} />
    </div>
  );
}
