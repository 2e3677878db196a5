import AntPopover from 'antd/es/popover';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { ANTD_PLACEMENTS, PopupSpot, roomBeside, type Placement } from './popup.tsx';
import styles from './Popover.module.css';

interface PopoverProps {
  anchor: RefObject<HTMLElement | null>;
  isOpen: boolean;
  /** Escape, a click outside, or the focus leaving. */
  onClose(): void;
  /** Its name for screen readers. */
  label: string;
  placement?: Placement;
  children: ReactNode;
}

/** A small panel beside its button, with controls inside. The focus goes in and comes back; the page behind stays usable. */
export function Popover({ isOpen, placement = 'bottom-start', anchor, ...panel }: PopoverProps) {
  if (!isOpen) return null;
  return (
    <AntPopover
      open
      trigger={[]}
      placement={ANTD_PLACEMENTS[placement]}
      arrow={false}
      content={<Panel {...panel} anchor={anchor} />}
      classNames={{ root: styles.popover }}
    >
      <PopupSpot anchor={anchor} />
    </AntPopover>
  );
}

function Panel({ anchor, onClose, label, children }: Omit<PopoverProps, 'isOpen' | 'placement'>) {
  const box = useRef<HTMLDivElement>(null);
  // Of what this panel opens elsewhere in the page too: React knows whose it is.
  const isPressInside = useRef(false);
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });

  useEffect(() => {
    const panel = box.current;
    const opener = anchor.current;
    if (!panel) return undefined;
    // antd says that every popover is a tooltip, and a tooltip holds no controls.
    panel.closest('[role="tooltip"]')?.removeAttribute('role');
    panel.style.maxHeight = `${roomBeside(opener)}px`;
    const first = panel.querySelector<HTMLElement>('[autofocus], input, button, select, textarea, a[href], [tabindex="0"]');
    // antd puts a popup into the page just after its first effects.
    queueMicrotask(() => first?.focus({ preventScroll: true }));
    const handlePointer = ({ target }: PointerEvent) => {
      if (!isPressInside.current && !(target instanceof Node && opener?.contains(target))) latest.current();
      isPressInside.current = false;
    };
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      latest.current();
    };
    panel.addEventListener('keydown', handleKey);
    document.addEventListener('pointerdown', handlePointer);
    return () => {
      panel.removeEventListener('keydown', handleKey);
      document.removeEventListener('pointerdown', handlePointer);
      if (document.activeElement === document.body) opener?.focus();
    };
  }, [anchor]);

  return (
    <div ref={box} role="dialog" aria-label={label} className={styles.panel} onPointerDown={() => void (isPressInside.current = true)}>
      {children}
    </div>
  );
}
