import { useMemo } from 'react';
import { useT } from '../../../kernel/i18n/index.ts';
import { WorldMap, type MapMark } from '../../../ui/index.ts';
import { statusKinds, statusName } from '../status.ts';
import { useWidgetData, type WidgetProps } from './dashboard-data.ts';
import { heightOf, Loaded, Nothing, useDevice } from './widget-parts.tsx';

interface Location {
  latitude: number | null;
  longitude: number | null;
}

/** Where the device of a dashboard is. */
export function DeviceMap({ widget: { h }, around }: WidgetProps) {
  const query = useWidgetData<Location>(`/devices/${around.deviceId}/location`, {}, around);
  const device = useDevice(around).data?.data;
  return (
    <Loaded query={query}>
      {({ latitude, longitude }) =>
        latitude === null || longitude === null ? (
          <Nothing />
        ) : (
          <Place latitude={latitude} longitude={longitude} name={device?.name ?? ''} status={device?.status ?? null} height={heightOf(h)} />
        )
      }
    </Loaded>
  );
}

interface PlaceProps {
  latitude: number;
  longitude: number;
  name: string;
  status: number | null;
  height: number;
}

function Place({ latitude, longitude, name, status, height }: PlaceProps) {
  const t = useT();
  const state = statusName(status);
  const label = `${name} · ${t(`devices.status.${state}`)}`;
  const marks = useMemo<MapMark[]>(
    () => [{ id: 'device', latitude, longitude, count: 1, kind: statusKinds[state], label }],
    [latitude, longitude, state, label],
  );
  // Only when the device is somewhere else: where one has moved the map to stays in sight.
  const focus = useMemo(() => ({ points: [{ latitude, longitude }] }), [latitude, longitude]);
  return <WorldMap label={t('map.location')} height={height} marks={marks} focus={focus} />;
}
