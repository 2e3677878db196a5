import { Link } from 'react-router';
import type { Device } from '../../../../schemas/_generated/contract.ts';
import { drawSeries, type Series } from '../../../engine/readings/draw-series.ts';
import { formatNumber, useT } from '../../../kernel/i18n/index.ts';
import { BarChart, SmallTable, StatusMark, TimeChart, type Bar } from '../../../ui/index.ts';
import { FleetMap } from '../FleetMap.tsx';
import { statusKinds, statusName } from '../status.ts';
import { startOf, useDevices, useWidgetData, type Surroundings, type WidgetProps } from './dashboard-data.ts';
import { DeviceLine, DeviceMap, DeviceValue, Identity, OnlineGauge, SignalGauge, States } from './DeviceWidgets.tsx';
import { Big, Gauge, heightOf, Loaded, Nothing, percent, timeOf, wordsOf } from './parts.tsx';
import styles from './dashboards.module.css';

const MOST_BARS = 12;
const BARS = ['accent', 'good', 'warn', 'bad', 'idle'] as const;
const FEW_ROWS = 10;

type Counts = Record<string, Record<string, number>>;
const STATUS_OF: Record<string, string> = { online: '1', offline: '0', pending: '2' };
function useCounts(around: Surroundings) {
  return useWidgetData<Counts>('/devices/statistics', { ...around.filters }, around);
}
const sum = (counts: Record<string, number> = {}): number => Object.values(counts).reduce((total, count) => total + count, 0);
function FleetValue({ widget, around }: WidgetProps) {
  return (
    <Loaded query={useCounts(around)}>
      {({ status = {} }) => (
        <Big>{formatNumber(widget.source === 'devices' ? sum(status) : (status[STATUS_OF[widget.source ?? ''] ?? ''] ?? 0))}</Big>
      )}
    </Loaded>
  );
}
function FleetGauge({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useCounts(around)}>
      {({ status = {} }) => {
        const share = sum(status) === 0 ? null : ((status['1'] ?? 0) / sum(status)) * 100;
        return <Gauge value={share} least={0} most={100} words={percent(t, share)} />;
      }}
    </Loaded>
  );
}
function FleetLine({ widget: { source = '', h }, around }: WidgetProps) {
  const t = useT();
  const path = around.tagId === undefined ? `/companies/${around.companyId}/series` : `/tags/${around.tagId}/series`;
  const query = useWidgetData<Series>(path, { parameter: source, start_date: startOf(around) }, around);
  const name = t(`fields.${source}`);
  return (
    <Loaded query={query}>
      {(series) => {
        const { times, average } = drawSeries(series);
        if (series.points.length === 0) return <Nothing />;
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
function Bars({ widget: { source = '', h }, around }: WidgetProps) {
  const t = useT();
  const label = t(`fields.${source}`);
  return (
    <Loaded query={useCounts(around)}>
      {(counts) => {
        const entries = Object.entries(counts[source] ?? {}).sort((a, b) => b[1] - a[1]);
        if (entries.length === 0) return <Nothing />;
        const bars = entries.slice(0, MOST_BARS).map(([name, value], index): Bar => ({
          label: source === 'status' ? t(`devices.status.${statusName(name === 'null' ? null : Number(name))}`) : name.replaceAll('_', ' '),
          value,
          color:
            source === 'status'
              ? (({ '1': 'good', '0': 'bad', '2': 'warn' } as const)[name] ?? 'idle')
              : (BARS[index % BARS.length] ?? 'accent'),
        }));
        return <BarChart label={label} fileName={label} bars={bars} format={formatNumber} height={heightOf(h)} />;
      }}
    </Loaded>
  );
}
const DeviceName = ({ device }: { device: Device }) => <Link to={`/devices/${device.id}`}>{device.name}</Link>;
const DeviceStatus = ({ device }: { device: Device }) => {
  const name = statusName(device.status);
  return <StatusMark kind={statusKinds[name]}>{useT()(`devices.status.${name}`)}</StatusMark>;
};
function FleetTable({ widget: { source, count = FEW_ROWS }, around }: WidgetProps) {
  const t = useT();
  const query = useDevices(around, {
    limit: String(count),
    sort: source === 'offline' ? '-last_connection_at' : 'name',
    ...(source === 'offline' ? { status: 'offline' } : {}),
  });
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Nothing />
        ) : (
          <SmallTable
            className={styles.table}
            hasRowNames
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { key: 'name', title: t('fields.name'), render: (device) => <DeviceName device={device} /> },
              { key: 'status', title: t('fields.status'), render: (device) => <DeviceStatus device={device} /> },
              { key: 'model', title: t('fields.model'), render: ({ model }) => model },
            ]}
          />
        )
      }
    </Loaded>
  );
}
function Lights({ widget: { count = 50 }, around }: WidgetProps) {
  return (
    <Loaded query={useDevices(around, { limit: String(count), sort: 'name' })}>
      {(rows) =>
        rows.length === 0 ? (
          <Nothing />
        ) : (
          <ul className={styles.lights}>
            {rows.map((device) => (
              <li key={device.id}>
                <StatusMark kind={statusKinds[statusName(device.status)]}>
                  <DeviceName device={device} />
                </StatusMark>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
function Top({ widget: { source = '', count = FEW_ROWS }, around }: WidgetProps) {
  const t = useT();
  const valueOf = (device: Device): unknown => Object.entries(device).find(([name]) => name === source)?.[1];
  return (
    <Loaded query={useDevices(around, { limit: String(count), sort: `-${source}` })}>
      {(rows) => (
        <ol className={styles.top}>
          {rows
            .filter((device) => typeof valueOf(device) === 'number')
            .map((device) => (
              <li key={device.id}>
                <DeviceName device={device} /> <strong>{wordsOf(t, source, valueOf(device))}</strong>
              </li>
            ))}
        </ol>
      )}
    </Loaded>
  );
}
/** The content of a widget. */
export function WidgetBody(props: WidgetProps) {
  const { widget, around } = props;
  const isFleet = around.kind === 'fleet';
  switch (widget.type) {
    case 'value':
      return isFleet ? <FleetValue {...props} /> : <DeviceValue {...props} />;
    case 'gauge':
      if (isFleet) return <FleetGauge {...props} />;
      return widget.source === 'signal' ? <SignalGauge {...props} /> : <OnlineGauge {...props} />;
    case 'line':
      return isFleet ? <FleetLine {...props} /> : <DeviceLine {...props} />;
    case 'states':
      return <States {...props} />;
    case 'bar':
      return <Bars {...props} />;
    case 'map':
      return isFleet ? <FleetMap query={around.filters} height={heightOf(widget.h) - 24} /> : <DeviceMap {...props} />;
    case 'table':
      return isFleet ? <FleetTable {...props} /> : <Identity {...props} />;
    case 'lights':
      return <Lights {...props} />;
    case 'top':
      return <Top {...props} />;
    case 'text':
      return <p className={styles.text}>{widget.text}</p>;
  }
}
