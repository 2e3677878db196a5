import { useLayoutEffect, useRef, type HTMLAttributes, type Ref, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './cx.ts';
import styles from './popup.module.css';

export type Placement = 'bottom-start' | 'bottom-end' | 'bottom' | 'top-start' | 'top-end';

/** Placements as antd calls them. */
export const ANTD_PLACEMENTS = {
  'bottom-start': 'bottomLeft',
  'bottom-end': 'bottomRight',
  bottom: 'bottom',
  'top-start': 'topLeft',
  'top-end': 'topRight',
} as const;

/** Where popups of an element hang: in the window that holds it, because an open window makes everything outside inert; else in the page. */
export function popupContainer(trigger?: Element | null): HTMLElement {
  return trigger?.closest<HTMLElement>('[role="dialog"][aria-modal], [role="alertdialog"], [data-above-dialogs]') ?? document.body;
}

/** Pixels that a popup beside an element can be high, on the side with more room. */
export function roomBeside(anchor: Element | null): number {
  const frame = anchor?.getBoundingClientRect();
  return frame ? Math.max(120, frame.top - GAP, window.innerHeight - frame.bottom - GAP) : window.innerHeight;
}

/** A popup's own distance, and some to the edge of the window. */
const GAP = 14;

interface SpotProps extends HTMLAttributes<HTMLSpanElement> {
  anchor: RefObject<Element | null>;
  ref?: Ref<HTMLSpanElement>;
}

/**
 * What antd places a popup beside: an empty spot over the anchor, there while the popup is. antd's own wrappers around each button would be
 * mounted with it, which in a list of many rows takes longer than the rows.
 */
export function PopupSpot({ anchor, ref, className, ...rest }: SpotProps) {
  const spot = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      const frame = anchor.current?.getBoundingClientRect();
      if (!frame || !spot.current) return;
      const { left, top, width, height } = frame;
      Object.assign(spot.current.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    };
    place();
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place, true);
    return () => {
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place, true);
    };
  }, [anchor]);
  const keep = (element: HTMLSpanElement | null) => {
    spot.current = element;
    if (typeof ref === 'function') ref(element);
    else if (ref) ref.current = element;
  };
  return createPortal(<span {...rest} ref={keep} className={cx(styles.spot, className)} />, popupContainer(anchor.current));
}
