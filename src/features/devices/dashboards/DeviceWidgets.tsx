import type { Device } from '../../../../schemas/_generated/contract.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { SECOND } from '../../../kernel/time/index.ts';
import { SmallTable, TimeChart, WorldMap } from '../../../ui/index.ts';
import { drawPoints, type Points } from '../draw-points.ts';
import { startOf, useWidgetData, type Surroundings, type WidgetProps } from './dashboard-data.ts';
import { Big, Gauge, heightOf, Loaded, Nothing, percent, timeOf, wordsOf } from './parts.tsx';
import styles from './dashboards.module.css';

const SIGNAL = { lowest: -120, highest: -50 };

function useDevice(around: Surroundings) {
  return useWidgetData<Device>(`/devices/${around.deviceId}`, {}, around);
}
export function DeviceValue({ widget: { source = '' }, around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useDevice(around)}>
      {(device) => <Big>{wordsOf(t, source, Object.entries(device).find(([name]) => name === source)?.[1])}</Big>}
    </Loaded>
  );
}
interface Presence {
  spans: { from: number; to: number; is_online: boolean }[];
  online_percent: number | null;
}
function usePresence(around: Surroundings) {
  return useWidgetData<Presence>(`/devices/${around.deviceId}/presence`, { start_date: startOf(around) }, around);
}
export function OnlineGauge({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={usePresence(around)}>
      {({ online_percent: value }) => <Gauge value={value} least={0} most={100} words={percent(t, value)} />}
    </Loaded>
  );
}
export function SignalGauge({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useDevice(around)}>
      {({ signal }) => <Gauge value={signal} least={SIGNAL.lowest} most={SIGNAL.highest} words={wordsOf(t, 'signal', signal)} />}
    </Loaded>
  );
}
interface DeviceSeries {
  start: number;
  end: number;
  step_seconds: number;
  series: { points: Points }[];
}
export function DeviceLine({ widget: { source = '', h }, around }: WidgetProps) {
  const t = useT();
  const query = useWidgetData<DeviceSeries>(`/devices/${around.deviceId}/series`, { metrics: source, start_date: startOf(around) }, around);
  const name = t(`fields.${source}`);
  return (
    <Loaded query={query}>
      {(answer) => {
        const points = answer.series[0]?.points ?? [];
        if (points.length === 0) return <Nothing />;
        const { times, average } = drawPoints(points, answer);
        const lines = [{ label: name, values: average, color: 'accent', kind: 'line' } as const];
        return (
          <TimeChart
            label={name}
            fileName={name}
            times={times}
            series={lines}
            format={(value) => wordsOf(t, source, value)}
            formatTime={timeOf}
            height={heightOf(h)}
          />
        );
      }}
    </Loaded>
  );
}
export function States({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={usePresence(around)}>
      {({ spans, online_percent: value }) => {
        const [start, end] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
        if (value === null || end <= start) return <Nothing />;
        return (
          <>
            <div className={styles.band} role="img" aria-label={percent(t, value)}>
              {spans.map(({ from, to, is_online: isOnline }) => (
                <span
                  key={from}
                  className={isOnline ? styles.wasOnline : styles.wasOffline}
                  style={{
                    insetInlineStart: `${((from - start) / (end - start)) * 100}%`,
                    inlineSize: `${((to - from) / (end - start)) * 100}%`,
                  }}
                  title={`${t(`devices.status.${isOnline ? 'online' : 'offline'}`)}: ${timeOf(from * SECOND)} – ${timeOf(to * SECOND)}`}
                />
              ))}
            </div>
            <p className={styles.muted}>{`${timeOf(start * SECOND)} – ${timeOf(end * SECOND)} · ${percent(t, value)}`}</p>
          </>
        );
      }}
    </Loaded>
  );
}
const IDENTITY = ['name', 'serial', 'mac', 'model', 'firmware', 'operator', 'wan_ip'] as const;
export function Identity({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useDevice(around)}>
      {(device) => (
        <SmallTable
          className={styles.table}
          hasRowNames
          hidesHead
          rows={IDENTITY}
          keyOf={(name) => name}
          columns={[
            { key: 'name', title: '', render: (name) => t(`fields.${name}`) },
            { key: 'value', title: '', render: (name) => device[name] ?? '—' },
          ]}
        />
      )}
    </Loaded>
  );
}
export function DeviceMap({ widget: { h }, around }: WidgetProps) {
  const t = useT();
  const query = useWidgetData<{ latitude: number | null; longitude: number | null }>(`/devices/${around.deviceId}/location`, {}, around);
  return (
    <Loaded query={query}>
      {({ latitude, longitude }) =>
        latitude === null || longitude === null ? (
          <Nothing />
        ) : (
          <WorldMap
            label={t('map.location')}
            height={heightOf(h)}
            marks={[{ id: 'device', latitude, longitude, count: 1, kind: 'info', label: t('map.location') }]}
            focus={{ points: [{ latitude, longitude }] }}
          />
        )
      }
    </Loaded>
  );
}
