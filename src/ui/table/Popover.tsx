import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { KeyboardEvent, ReactNode } from 'react';
import './popover.css';

export interface PopoverProps {
  /** The control that opened it; it gets the focus back. */
  anchor: HTMLElement;
  label: string;
  onClose: () => void;
  align?: 'start' | 'end';
  children: ReactNode;
}

const GAP_PX = 4;
const EDGE_PX = 8;
const FOCUSABLE = 'input:not([disabled]), button:not([disabled]), [href], select, textarea, [tabindex="0"]';

/** A small panel beside its control, above everything that clips. Escape, a press outside and leaving it by Tab close it. */
export function Popover({ anchor, label, onClose, align = 'start', children }: PopoverProps) {
  const panel = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ top: number; left: number } | undefined>(undefined);

  useLayoutEffect(() => {
    const element = panel.current;
    if (!element) return;
    const put = () => {
      const at = anchor.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = element;
      const below = at.bottom + GAP_PX;
      const fitsBelow = below + height <= window.innerHeight - EDGE_PX;
      const wanted = align === 'end' ? at.right - width : at.left;
      setPlace({
        top: fitsBelow ? below : Math.max(EDGE_PX, at.top - GAP_PX - height),
        left: Math.max(EDGE_PX, Math.min(wanted, window.innerWidth - width - EDGE_PX)),
      });
    };
    put();
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(put);
    observer?.observe(element);
    window.addEventListener('resize', put);
    window.addEventListener('scroll', put, true);
    return () => {
      observer?.disconnect();
      window.removeEventListener('resize', put);
      window.removeEventListener('scroll', put, true);
    };
  }, [anchor, align]);

  const isPlaced = place !== undefined;
  useEffect(() => {
    if (isPlaced) (panel.current?.querySelector<HTMLElement>('[autofocus], [data-autofocus]') ?? firstControl(panel.current))?.focus();
  }, [isPlaced]);

  useEffect(() => {
    const handlePress = (event: PointerEvent) => {
      const target = event.target;
      if (target instanceof Node && !panel.current?.contains(target) && !anchor.contains(target)) onClose();
    };
    document.addEventListener('pointerdown', handlePress, true);
    return () => document.removeEventListener('pointerdown', handlePress, true);
  }, [anchor, onClose]);

  function handleKeyDown(event: KeyboardEvent): void {
    // The panel stands in the middle of a page with its own keys; none of what is typed here is for them.
    event.stopPropagation();
    if (event.key === 'Escape') close();
    if (event.key !== 'Tab' || !panel.current) return;
    const controls = [...panel.current.querySelectorAll<HTMLElement>(FOCUSABLE)];
    const edge = event.shiftKey ? controls[0] : controls.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    close();
  }
  function close(): void {
    anchor.focus();
    onClose();
  }

  return createPortal(
    <div
      ref={panel}
      role="dialog"
      aria-label={label}
      className="popover"
      data-placed={isPlaced || undefined}
      style={{ top: place?.top ?? 0, left: place?.left ?? 0 }}
      onKeyDown={handleKeyDown}
    >
      {children}
    </div>,
    document.body,
  );
}

function firstControl(element: HTMLElement | null): HTMLElement | null {
  return element?.querySelector<HTMLElement>(FOCUSABLE) ?? null;
}
