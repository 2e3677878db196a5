import { useCallback, useRef, useState } from 'react';
import type { RefCallback, RefObject } from 'react';

export interface MeasuredElement<E> {
  /** For the element's `ref`. */
  attach: RefCallback<E>;
  element: RefObject<E | null>;
  /** Pixels inside it from side to side, followed as they change: 0 before it is on screen and where nothing is laid out. */
  px: number;
}

/** Follows how wide an element is. */
export function useInlineSize<E extends HTMLElement>(): MeasuredElement<E> {
  const [px, setPx] = useState(0);
  const element = useRef<E>(null);
  const attach = useCallback((node: E | null) => {
    if (!node) return undefined;
    element.current = node;
    setPx(node.clientWidth);
    const observer = new ResizeObserver(() => setPx(node.clientWidth));
    observer.observe(node);
    return () => {
      element.current = null;
      observer.disconnect();
    };
  }, []);
  return { attach, element, px };
}
