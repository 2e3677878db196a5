import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { resources } from '../../engine/resources/all.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import { filterQuery, readListState } from '../../engine/table/list-state.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, PageHeader, Skeleton, type MapPoint, type MapView } from '../../ui/index.ts';
import { areaInSight, cornersOf, cornerText } from './fleet-marks.ts';
import { FleetMap } from './FleetMap.tsx';
import styles from './map.module.css';

const AREA = 'area';
const FEWEST_CORNERS = 3;
const MOST_CORNERS = 100;
const devices = resources.find(({ name }) => name === 'devices');

/** The fleet on a map, and beside it the list of what is in sight or in an area that somebody drew: what the list can do is done with those. */
export default function MapPage() {
  const t = useT();
  const [search, setSearch] = useSearchParams();
  const [view, setView] = useState<MapView>();
  const [drawing, setDrawing] = useState<readonly MapPoint[]>();
  const kept = search.get(AREA);
  const drawn = useMemo(() => cornersOf(kept), [kept]);
  const text = search.toString();
  const query = useMemo(() => {
    if (!devices) return {};
    const { [AREA]: _area, ...filters } = filterQuery(readListState(new URLSearchParams(text), devices));
    return filters;
  }, [text]);
  const inSight = useMemo(() => view && areaInSight(view), [view]);
  const value = drawn.length > 0 ? drawn.map(cornerText) : inSight;
  const setArea = (corners: readonly MapPoint[] | undefined): void => {
    setDrawing(undefined);
    setSearch((former) => {
      former.delete('page');
      if (corners) former.set(AREA, corners.map(cornerText).join(','));
      else former.delete(AREA);
      return former;
    });
  };
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('menu.map')}
        actions={
          drawing ? (
            <>
              <Button variant="primary" icon="check" disabled={drawing.length < FEWEST_CORNERS} onClick={() => setArea(drawing)}>
                {t('map.draw.done')}
              </Button>
              <Button onClick={() => setDrawing(undefined)}>{t('map.cancel')}</Button>
            </>
          ) : (
            <>
              <Button icon="map-pin" onClick={() => setDrawing([])}>
                {t('map.draw')}
              </Button>
              {drawn.length > 0 ? (
                <Button icon="x" onClick={() => setArea(undefined)}>
                  {t('map.draw.remove')}
                </Button>
              ) : null}
            </>
          )
        }
      />
      {drawing ? (
        <p role="status" className={styles.hint}>
          {t('map.draw.hint', { count: drawing.length })}
        </p>
      ) : null}
      <div className={styles.sides}>
        <FleetMap
          query={query}
          height="min(72vh, 760px)"
          area={drawing ?? drawn}
          isPicking={drawing !== undefined}
          onPick={(point) => setDrawing((corners = []) => (corners.length < MOST_CORNERS ? [...corners, point] : corners))}
          onView={setView}
        />
        <section className={styles.list} aria-label={t(drawn.length > 0 ? 'map.list.area' : 'map.list.sight')}>
          <p className={styles.muted}>{t(drawn.length > 0 ? 'map.list.area' : 'map.list.sight')}</p>
          {devices && value ? <ResourceListPage resource={devices} within={{ key: AREA, value }} /> : <Skeleton height={420} />}
        </section>
      </div>
    </div>
  );
}
