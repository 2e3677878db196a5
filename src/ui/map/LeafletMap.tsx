import { useEffect, useId, useRef, useState } from 'react';
import 'leaflet/dist/leaflet.css';
import { useT } from '../../kernel/i18n/index.ts';
import { cx } from '../cx.ts';
import { createMap, type DrawnMap } from './create-map.ts';
import { readTiles } from './tiles.ts';
import type { WorldMapProps } from './types.ts';
import styles from './map.module.css';

const NOTHING: readonly never[] = [];

/** The drawing of a WorldMap by Leaflet. */
export default function LeafletMap(props: WorldMapProps) {
  const { label, height, marks = NOTHING, chosen, focus, track = NOTHING, area = NOTHING, handles = NOTHING, isPicking = false } = props;
  const t = useT();
  const help = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<DrawnMap>();
  const [hasNoTiles, setHasNoTiles] = useState(false);
  // Callers make these at each drawing; the map is made once.
  const latest = useRef(props);
  useEffect(() => void (latest.current = props));
  const words = { zoomIn: t('map.zoom_in'), zoomOut: t('map.zoom_out') };
  const wordsKey = JSON.stringify(words);
  useEffect(() => {
    if (!frame.current) return undefined;
    const drawn = createMap(frame.current, {
      tiles: readTiles(),
      words: JSON.parse(wordsKey) as typeof words,
      onView: (view) => latest.current.onView?.(view),
      onMark: (mark) => latest.current.onMark?.(mark),
      onPick: (point) => {
        if (latest.current.isPicking) latest.current.onPick?.(point);
      },
      onHandle: (id, point) => latest.current.onHandle?.(id, point),
      onTiles: (isThere) => setHasNoTiles(!isThere),
    });
    setMap(drawn);
    return () => drawn.remove();
  }, [wordsKey]);
  useEffect(() => map?.showMarks(marks, chosen), [map, marks, chosen]);
  useEffect(() => map?.showTrack(track), [map, track]);
  useEffect(() => map?.showArea(area), [map, area]);
  useEffect(() => map?.showHandles(handles), [map, handles]);
  useEffect(() => {
    if (focus) map?.look(focus);
  }, [map, focus]);
  useEffect(() => {
    const element = frame.current;
    const pickMiddle = (event: KeyboardEvent): void => {
      if (!isPicking || event.key !== 'Enter' || event.target !== element) return;
      event.preventDefault();
      map?.pickMiddle();
    };
    element?.addEventListener('keydown', pickMiddle);
    return () => element?.removeEventListener('keydown', pickMiddle);
  }, [map, isPicking]);
  return (
    <div className={cx(styles.frame, isPicking && styles.picking)}>
      <div
        ref={frame}
        role="application"
        aria-label={label}
        aria-describedby={help}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Arrow keys move the map.
        tabIndex={0}
        className={styles.map}
        style={{ height }}
      />
      {isPicking ? <span aria-hidden="true" className={styles.middle} /> : null}
      <p id={help} className="visually-hidden">
        {t(isPicking ? 'map.keys_picking' : 'map.keys')}
      </p>
      {hasNoTiles ? (
        <p role="status" className={styles.notice}>
          {t('map.no_tiles')}
        </p>
      ) : null}
    </div>
  );
}
