export type Placement = 'bottom-start' | 'bottom-end' | 'bottom' | 'top-start' | 'top-end' | 'right-start';

interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}
interface Size {
  width: number;
  height: number;
}
interface PlaceInput {
  anchor: Frame;
  box: Size;
  view: Size;
  placement: Placement;
}

const GAP = 6;
const EDGE = 8;

/** Where a floating box goes, in pixels of the window: on the wished side, on the other when there is more room, never outside. */
export function placeFloating({ anchor, box, view, placement }: PlaceInput): { left: number; top: number; maxHeight: number } {
  if (placement === 'right-start') {
    const left = anchor.right + GAP + box.width <= view.width - EDGE ? anchor.right + GAP : anchor.left - GAP - box.width;
    const maxHeight = view.height - 2 * EDGE;
    return { left: clamp(left, box.width, view.width), top: clamp(anchor.top, Math.min(box.height, maxHeight), view.height), maxHeight };
  }
  const below = view.height - anchor.bottom - GAP - EDGE;
  const above = anchor.top - GAP - EDGE;
  const isAbove = placement.startsWith('top') ? above >= Math.min(box.height, below) : box.height > below && above > below;
  const maxHeight = Math.max(80, isAbove ? above : below);
  const height = Math.min(box.height, maxHeight);
  const wish = placement.endsWith('end')
    ? anchor.right - box.width
    : placement === 'bottom'
      ? anchor.left + (anchor.width - box.width) / 2
      : anchor.left;
  return { left: clamp(wish, box.width, view.width), top: isAbove ? anchor.top - GAP - height : anchor.bottom + GAP, maxHeight };
}

function clamp(wish: number, size: number, room: number): number {
  return Math.max(EDGE, Math.min(wish, room - size - EDGE));
}
