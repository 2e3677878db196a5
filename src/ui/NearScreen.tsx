import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Skeleton } from './Skeleton.tsx';

/** So far below the screen, in px, things are drawn before they are scrolled to. */
const AHEAD = 400;

/** Draws what is in it once it comes near the screen, and leaves it there: a page of many charts shows the first ones at once. `height` in px until then. */
export function NearScreen({ height, children }: { height: number; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(() => typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (isNear || !place.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: `${AHEAD}px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return isNear ? (
    children
  ) : (
    <div ref={place}>
      <Skeleton height={height} />
    </div>
  );
}
