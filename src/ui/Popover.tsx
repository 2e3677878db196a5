import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { cx } from './cx.ts';
import { Floating } from './Floating.tsx';
import type { Placement } from './place-floating.ts';
import styles from './Popover.module.css';

interface PopoverProps {
  anchor: RefObject<HTMLElement | null>;
  isOpen: boolean;
  /** Escape, a click outside, or the focus leaving. */
  onClose(): void;
  /** Its name for screen readers. */
  label: string;
  placement?: Placement;
  className?: string;
  children: ReactNode;
}

/** A small panel beside its button, with controls inside. The focus goes in and comes back; the page behind stays usable. */
export function Popover({ anchor, isOpen, onClose, label, placement, className, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });

  useEffect(() => {
    if (!isOpen) return undefined;
    const opener = anchor.current;
    const first = box.current?.querySelector<HTMLElement>('[autofocus], input, button, select, textarea, a[href], [tabindex="0"]');
    first?.focus();
    const handlePointer = (event: PointerEvent) => {
      const { target } = event;
      if (target instanceof Node && !box.current?.contains(target) && !opener?.contains(target)) latest.current();
    };
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      latest.current();
    };
    const panel = box.current;
    panel?.addEventListener('keydown', handleKey);
    document.addEventListener('pointerdown', handlePointer, true);
    return () => {
      panel?.removeEventListener('keydown', handleKey);
      document.removeEventListener('pointerdown', handlePointer, true);
      if (document.activeElement === document.body) opener?.focus();
    };
  }, [isOpen, anchor]);

  if (!isOpen) return null;
  return (
    <Floating anchor={anchor} placement={placement} className={cx(styles.popover, className)} ref={box}>
      <div role="dialog" aria-label={label}>
        {children}
      </div>
    </Floating>
  );
}
