import AntTooltip from 'antd/es/tooltip';
import { cloneElement, useEffect, useId, useRef, useState, type ReactElement } from 'react';
import { cx } from './cx.ts';
import { PopupSpot } from './popup.tsx';
import styles from './Tooltip.module.css';

interface TooltipProps {
  text: string;
  /** The text is the name that the child has already; it is then not read out a second time. */
  isName?: boolean;
  /** One element that can be hovered and focused. */
  children: ReactElement<{ 'aria-describedby'?: string }>;
}

const WAIT_MS = 400;
/** What is no longer than this is on one line (docs/behaviour.md section 9). */
const SHORT = 50;

/** A short text on hover and focus; Escape hides it, and the pointer may rest on it (WCAG 1.4.13): antd's, with these rules. */
export function Tooltip({ text, isName = false, children }: TooltipProps) {
  const [isShown, setShown] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();

  const showSoon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(true), WAIT_MS);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setShown(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isShown) return undefined;
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setShown(false);
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, [isShown]);

  return (
    <span
      ref={anchor}
      className={styles.anchor}
      onPointerEnter={(event) => event.pointerType === 'mouse' && showSoon()}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && setShown(true)}
      onBlur={hide}
    >
      {isName || !isShown ? children : cloneElement(children, { 'aria-describedby': id })}
      {isShown && text ? (
        <AntTooltip
          open
          id={id}
          title={text}
          placement="bottom"
          arrow={false}
          trigger={[]}
          classNames={{ root: cx(styles.tooltip, text.length <= SHORT && styles.short) }}
        >
          <PopupSpot anchor={anchor} />
        </AntTooltip>
      ) : null}
    </span>
  );
}
