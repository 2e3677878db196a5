import { useLayoutEffect, useRef, type CSSProperties, type ReactNode, type RefObject } from 'react';
import { cx } from './cx.ts';
import { placeFloating, type Placement } from './place-floating.ts';
import styles from './Floating.module.css';

interface FloatingProps {
  /** What it stands beside. */
  anchor: RefObject<Element | null>;
  placement?: Placement;
  /** At least as wide as its anchor. */
  isAnchorWide?: boolean;
  className?: string;
  style?: CSSProperties;
  ref?: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

/**
 * A box over everything else, beside its anchor; moves to the other side where there is no room. It is drawn where it stands in the
 * tree (so a dialog does not make it inert) and lifted to the browser's top layer (so nothing clips it).
 */
export function Floating({ anchor, placement = 'bottom-start', isAnchorWide = false, className, style, ref, children }: FloatingProps) {
  const own = useRef<HTMLDivElement>(null);
  const box = ref ?? own;

  useLayoutEffect(() => {
    const element = box.current;
    const target = anchor.current;
    if (!element || !target) return undefined;
    const place = () => {
      const frame = target.getBoundingClientRect();
      if (isAnchorWide) element.style.minWidth = `${frame.width}px`;
      const spot = placeFloating({
        anchor: frame,
        box: { width: element.offsetWidth, height: element.scrollHeight },
        view: { width: document.documentElement.clientWidth, height: window.innerHeight },
        placement,
      });
      element.style.left = `${spot.left}px`;
      element.style.top = `${spot.top}px`;
      element.style.maxHeight = `${spot.maxHeight}px`;
    };
    if ('showPopover' in element) element.showPopover();
    place();
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place, true);
    const observer = 'ResizeObserver' in window ? new ResizeObserver(place) : undefined;
    observer?.observe(element);
    return () => {
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place, true);
      observer?.disconnect();
    };
  }, [anchor, box, placement, isAnchorWide]);

  return (
    <div ref={box} popover="manual" className={cx(styles.floating, className)} style={style}>
      {children}
    </div>
  );
}
