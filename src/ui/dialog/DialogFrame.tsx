import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { toasts } from '../../kernel/toasts/index.ts';
import { cx } from '../cx.ts';
import { HelpLink, type Help } from '../HelpLink.tsx';
import { IconButton } from '../IconButton.tsx';
import { findWanted, focusFirst } from './focus.ts';
import styles from './dialog.module.css';
import type { ReactNode } from 'react';

export interface DialogFrameLabels {
  close: string;
  minimize: string;
  fullscreen: string;
  leaveFullscreen: string;
}

export interface DialogFrameProps {
  title: string;
  subtitle?: ReactNode;
  /** small 420, medium 560 (forms), large 780 px (tables). */
  size?: 'small' | 'medium' | 'large';
  /** An alert dialog: read out as a whole when it opens. */
  isAlert?: boolean;
  isFullscreen?: boolean;
  /** Not the main window: it lies under another one. */
  isCovered?: boolean;
  /** Another region (the tray) takes part in the Tab round, so assistive technology must not be shut out of it. */
  isShared?: boolean;
  /** The title is for screen readers only, and there are no controls. */
  hidesHeader?: boolean;
  /** What is inside reaches the edges. */
  hasNoPadding?: boolean;
  /** A page about this window, on another site. */
  help?: Help;
  labels: DialogFrameLabels;
  footer?: ReactNode;
  children: ReactNode;
  onClose?: () => void;
  onMinimize?: () => void;
  onFullscreen?: (on: boolean) => void;
}

/** The window of a dialog: title with its controls, scrolling body, footer. Knows nothing of the stack. */
export function DialogFrame(props: DialogFrameProps) {
  const titleId = useId();
  const bodyId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const lastFocused = useRef<HTMLElement>(null);
  const { isFullscreen = false, isCovered = false } = props;

  const hasFootAtEdge = isFullscreen && !isCovered && props.footer !== undefined;
  useEffect(() => (hasFootAtEdge ? toasts.keepLowerEdgeFree() : undefined), [hasFootAtEdge]);

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element || isCovered || element.contains(document.activeElement)) return;
    // Out of the tray one goes on where one was.
    const last = lastFocused.current;
    if (last?.isConnected && element.contains(last)) last.focus({ preventScroll: true });
    else focusFirst(element);
  }, [isCovered]);

  useEffect(() => {
    const element = frame.current;
    if (!element || isCovered) return;
    let isUntouched = true;
    let check: ReturnType<typeof setTimeout> | undefined;
    const touch = (): void => void (isUntouched = false);
    const takeFocus = (): void => (findWanted(element) ?? element).focus({ preventScroll: true });
    // The focused control may vanish (a next step, a row that is gone): the focus must not fall out of the dialog. And what asks for the
    // focus may come late, once it is loaded: it gets it unless the user has started something.
    const observer = new MutationObserver(() => {
      if (isUntouched && document.activeElement === element) takeFocus();
      if (document.activeElement !== document.body) return;
      // Between the blur of one control and the focus of the next nothing has it, and what changes in between (a tooltip goes) ends
      // up here: whether the focus is lost is known after the event only.
      clearTimeout(check);
      check = setTimeout(() => document.activeElement === document.body && takeFocus());
    });
    observer.observe(element, { childList: true, subtree: true });
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && !target.closest('header')) lastFocused.current = target;
    };
    element.addEventListener('focusin', remember);
    element.addEventListener('keydown', touch);
    element.addEventListener('pointerdown', touch);
    return () => {
      observer.disconnect();
      clearTimeout(check);
      element.removeEventListener('focusin', remember);
      element.removeEventListener('keydown', touch);
      element.removeEventListener('pointerdown', touch);
    };
  }, [isCovered]);

  return (
    <div
      ref={frame}
      role={props.isAlert ? 'alertdialog' : 'dialog'}
      aria-modal={!props.isShared}
      aria-labelledby={props.hidesHeader ? undefined : titleId}
      aria-label={props.hidesHeader ? props.title : undefined}
      aria-describedby={props.isAlert ? bodyId : undefined}
      tabIndex={-1}
      className={styles.dialog}
      data-size={props.size ?? 'medium'}
      data-fullscreen={isFullscreen || undefined}
    >
      {props.hidesHeader ? null : <DialogHead {...props} titleId={titleId} />}
      <div id={bodyId} className={cx(styles.body, props.hasNoPadding && styles.bare)} data-dialog-body>
        {props.children}
      </div>
      {props.footer ? <footer className={styles.foot}>{props.footer}</footer> : null}
    </div>
  );
}

function DialogHead({ titleId, isFullscreen = false, labels, help, ...props }: DialogFrameProps & { titleId: string }) {
  return (
    <header className={styles.head}>
      <div className={styles.titles}>
        <h2 id={titleId} className={styles.title}>
          {props.title}
        </h2>
        {props.subtitle ? <div className={styles.subtitle}>{props.subtitle}</div> : null}
      </div>
      <div className={styles.controls}>
        {help ? <HelpLink {...help} /> : null}
        {props.onMinimize ? <IconButton icon="minus" label={labels.minimize} onClick={props.onMinimize} /> : null}
        {props.onFullscreen ? (
          <IconButton
            icon={isFullscreen ? 'minimize-2' : 'maximize-2'}
            label={isFullscreen ? labels.leaveFullscreen : labels.fullscreen}
            onClick={() => props.onFullscreen?.(!isFullscreen)}
          />
        ) : null}
        {props.onClose ? <IconButton icon="x" label={labels.close} onClick={props.onClose} /> : null}
      </div>
    </header>
  );
}
