import { useMemo, useState } from 'react';
import { MOST_RADIUS, type Area } from '../../../../schemas/kit/form/area.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { useCan } from '../../../kernel/session/index.ts';
import {
  Button,
  circleAround,
  FieldFrame,
  metresBetween,
  NumberField,
  pointAt,
  Segmented,
  WorldMap,
  type MapPoint,
} from '../../../ui/index.ts';
import { dataProvider } from '../../data/data-provider.ts';
import { DialogWindow } from '../../dialogs/index.ts';
import type { DialogComponent } from '../../dialogs/registry.ts';
import { formatPlain } from '../format-plain.ts';
import { LookupSelect } from '../LookupSelect.tsx';
import styles from './area.module.css';

declare module '../../dialogs/registry.ts' {
  interface DialogTypes {
    'map.area': { props: { area: Partial<Area> }; result: Area | undefined };
  }
}

type Entered = Record<keyof Area, number | string | undefined>;

const HEIGHT = 360;
const FIRST_RADIUS = 1000;
const DIGITS = 1e6;
const MOST: Readonly<Record<keyof Area, readonly [number, number]>> = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  radius: [1, MOST_RADIUS],
};

const rounded = (value: number): number => Math.round(value * DIGITS) / DIGITS;
const within = (longitude: number): number => rounded(((((longitude + 180) % 360) + 360) % 360) - 180);
const isGood = (name: keyof Area, value: number | string | undefined): value is number =>
  typeof value === 'number' && value >= MOST[name][0] && value <= MOST[name][1];

/** A round area chosen on a map: its middle and its edge by click, by dragging or by the arrow keys, from a site, or typed in. */
const AreaDialog: DialogComponent<'map.area'> = ({ area, dialog }) => {
  const t = useT();
  const can = useCan();
  const [entered, setEntered] = useState<Entered>({ latitude: undefined, longitude: undefined, radius: undefined, ...area });
  const [picks, setPicks] = useState<'middle' | 'edge'>('middle');
  const [site, setSite] = useState<number>();
  const [said, setSaid] = useState('');
  const { latitude, longitude, radius } = entered;
  const middle = useMemo(
    () => (isGood('latitude', latitude) && isGood('longitude', longitude) ? { latitude, longitude } : undefined),
    [latitude, longitude],
  );
  const metres = isGood('radius', radius) ? radius : undefined;
  const corners = useMemo(() => (middle && metres !== undefined ? circleAround(middle, metres) : []), [middle, metres]);
  const handles = useMemo(
    () =>
      middle
        ? [
            { id: 'middle', kind: 'middle' as const, label: t('map.area.middle'), ...middle },
            ...(metres === undefined
              ? []
              : [{ id: 'edge', kind: 'edge' as const, label: t('map.area.edge'), ...pointAt(middle, metres, 90) }]),
          ]
        : [],
    [middle, metres, t],
  );
  // Where the map opens; what is changed on it afterwards moves it no more.
  const [focus, setFocus] = useState(corners.length > 0 ? { points: corners } : undefined);

  const moveMiddle = (point: MapPoint): void => {
    const next = { latitude: rounded(point.latitude), longitude: within(point.longitude) };
    setEntered((now) => ({ ...now, ...next, radius: isGood('radius', now.radius) ? now.radius : FIRST_RADIUS }));
    setPicks('edge');
  };
  const moveEdge = (point: MapPoint): void => {
    if (middle) setEntered((now) => ({ ...now, radius: Math.min(MOST_RADIUS, Math.max(1, Math.round(metresBetween(middle, point)))) }));
  };
  const takeSite = async (id: number | undefined): Promise<void> => {
    setSite(id);
    setSaid('');
    if (id === undefined) return;
    const answer = await dataProvider
      .getOne<{ id: number; latitude: number | null; longitude: number | null }>({ resource: 'sites', id })
      .catch(() => undefined);
    const { latitude: north, longitude: east } = answer?.data ?? { latitude: null, longitude: null };
    if (north === null || east === null) {
      setSaid(t('map.area.site_unknown'));
      return;
    }
    moveMiddle({ latitude: north, longitude: east });
    setFocus({ points: circleAround({ latitude: north, longitude: east }, metres ?? FIRST_RADIUS) });
  };
  const isWhole = middle !== undefined && metres !== undefined;
  return (
    <DialogWindow
      dialog={dialog}
      title={t('map.area.title')}
      size="large"
      footer={
        <>
          <Button onClick={dialog.requestClose}>{t('map.cancel')}</Button>
          <Button variant="primary" disabled={!isWhole} onClick={() => dialog.close(isWhole ? { ...middle, radius: metres } : undefined)}>
            {t('map.area.use')}
          </Button>
        </>
      }
    >
      <div className={styles.tools}>
        <Segmented<'middle' | 'edge'>
          label={t('map.area.click_sets')}
          value={middle ? picks : 'middle'}
          options={[
            { value: 'middle', label: t('map.area.middle') },
            { value: 'edge', label: t('map.area.edge') },
          ]}
          onChange={setPicks}
        />
        {can('view_sites') ? (
          <div className={styles.site}>
            <LookupSelect
              lookup="sites"
              label={t('map.area.site')}
              aria-label={t('map.area.site')}
              placeholder={t('map.area.site')}
              value={site}
              onChange={(id) => void takeSite(id)}
            />
          </div>
        ) : null}
      </div>
      <p role="status" className={styles.said}>
        {said || t(middle ? 'map.area.hint_edge' : 'map.area.hint_middle')}
      </p>
      <WorldMap
        label={t('map.area.title')}
        height={HEIGHT}
        area={corners}
        handles={handles}
        focus={focus}
        isPicking
        onPick={(point) => (picks === 'edge' && middle ? moveEdge(point) : moveMiddle(point))}
        onHandle={(id, point) => (id === 'edge' ? moveEdge(point) : moveMiddle(point))}
      />
      <div className={styles.fields}>
        {(['latitude', 'longitude', 'radius'] as const).map((name) => {
          const value = entered[name];
          const isWrong = value !== undefined && !isGood(name, value);
          return (
            <FieldFrame
              key={name}
              label={t(`fields.${name}`)}
              error={isWrong ? t('map.area.out_of_range', { least: MOST[name][0], most: MOST[name][1] }) : undefined}
            >
              {(control) => (
                <NumberField
                  {...control}
                  value={value}
                  onChange={(next) => setEntered((now) => ({ ...now, [name]: next }))}
                  format={formatPlain}
                  min={MOST[name][0]}
                  max={MOST[name][1]}
                  {...(name === 'radius' ? { addon: t('units.metres') } : {})}
                />
              )}
            </FieldFrame>
          );
        })}
      </div>
    </DialogWindow>
  );
};
export default AreaDialog;
