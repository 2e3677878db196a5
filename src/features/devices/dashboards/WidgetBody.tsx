import { formatNumber, useT } from '../../../kernel/i18n/index.ts';
import { isCollected } from '../../../engine/readings/collected.ts';
import { FleetMap } from '../FleetMap.tsx';
import { useWidgetData, type WidgetProps } from './dashboard-data.ts';
import { Bars, DeviceLine, FleetLine, Pie, States } from './chart-widgets.tsx';
import { ImageWidget } from './ImageWidget.tsx';
import { Alerts, Availability, Output } from './state-widgets.tsx';
import { DeviceMap } from './DeviceMap.tsx';
import { FleetAvailability } from './FleetAvailability.tsx';
import { isVpn, VpnTable, VpnValue } from './vpn-widgets.tsx';
import { FleetTable, Identity, Lights, Top } from './table-widgets.tsx';
import {
  Big,
  heightOf,
  Loaded,
  Nothing,
  SIGNAL,
  STATUS_OF,
  sum,
  useCounts,
  useDevice,
  usePresence,
  wordsOf,
  percent,
} from './widget-parts.tsx';
import styles from './dashboards.module.css';

function FleetValue({ widget, around }: WidgetProps) {
  return (
    <Loaded query={useCounts(around)}>
      {({ status = {} }) => (
        <Big>{formatNumber(widget.source === 'devices' ? sum(status) : (status[STATUS_OF[widget.source ?? ''] ?? ''] ?? 0))}</Big>
      )}
    </Loaded>
  );
}

function DeviceValue({ widget: { source = '' }, around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useDevice(around)}>
      {(device) => <Big>{wordsOf(t, source, Object.entries(device).find(([name]) => name === source)?.[1])}</Big>}
    </Loaded>
  );
}

/** What a device answered last for a variable of a monitoring template. */
function CollectedValue({ widget: { source = '' }, around }: WidgetProps) {
  const t = useT();
  const query = useWidgetData<{ value: number | string }[]>('/devices/collected', { id: String(around.deviceId), metrics: source }, around);
  return <Loaded query={query}>{([last]) => (last === undefined ? <Nothing /> : <Big>{wordsOf(t, source, last.value)}</Big>)}</Loaded>;
}

function Gauge({ value, least, most, words }: { value: number | null; least: number; most: number; words: string }) {
  const share = value === null ? 0 : Math.max(0, Math.min(1, (value - least) / (most - least)));
  const end = { x: 50 - 40 * Math.cos(Math.PI * share), y: 50 - 40 * Math.sin(Math.PI * share) };
  return (
    <div className={styles.gauge}>
      <svg viewBox="0 0 100 56" role="img" aria-label={words}>
        <path d="M10 50 A40 40 0 0 1 90 50" className={styles.gaugeTrack} />
        {share > 0 ? <path d={`M10 50 A40 40 0 0 1 ${end.x.toFixed(2)} ${end.y.toFixed(2)}`} className={styles.gaugeValue} /> : null}
      </svg>
      <strong>{words}</strong>
    </div>
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

function OnlineGauge({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={usePresence(around)}>
      {({ online_percent: value }) => <Gauge value={value} least={0} most={100} words={percent(t, value)} />}
    </Loaded>
  );
}

function SignalGauge({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useDevice(around)}>
      {({ signal }) => <Gauge value={signal} least={SIGNAL.lowest} most={SIGNAL.highest} words={wordsOf(t, 'signal', signal)} />}
    </Loaded>
  );
}

/** The content of a widget. */
export function WidgetBody(props: WidgetProps) {
  const { widget, around } = props;
  const isFleet = around.kind === 'fleet';
  switch (widget.type) {
    case 'value':
      if (isCollected(widget.source ?? '')) return <CollectedValue {...props} />;
      if (isVpn(widget.source)) return <VpnValue {...props} />;
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
    case 'pie':
      return <Pie {...props} />;
    case 'alerts':
      return <Alerts {...props} />;
    case 'availability':
      return isFleet ? <FleetAvailability {...props} /> : <Availability {...props} />;
    case 'output':
      return <Output {...props} />;
    case 'image':
      return <ImageWidget {...props} />;
    case 'map':
      return isFleet ? <FleetMap query={around.filters} height={heightOf(widget.h) - 32} /> : <DeviceMap {...props} />;
    case 'table':
      if (isVpn(widget.source)) return <VpnTable {...props} />;
      return isFleet ? <FleetTable {...props} /> : <Identity {...props} />;
    case 'lights':
      return <Lights {...props} />;
    case 'top':
      return <Top {...props} />;
    case 'text':
      return <p className={styles.text}>{widget.text}</p>;
  }
}
