import { lazy, Suspense } from 'react';
import { withTexts } from '../../kernel/i18n/index.ts';
import { Skeleton } from '../Skeleton.tsx';
import type { WorldMapProps } from './types.ts';

const LeafletMap = lazy(withTexts(['map'], () => import('./LeafletMap.tsx')));

/** A map of the world with marks, a line or an area. Its code comes when it is first shown; the outlines of the world come with the console. */
export function WorldMap(props: WorldMapProps) {
  return (
    <Suspense fallback={<Skeleton height={typeof props.height === 'number' ? props.height : 320} />}>
      <LeafletMap {...props} />
    </Suspense>
  );
}
