import type { NetworkNode, NetworkNodeKind } from '../../../schemas/kit/devices/network-map.ts';
import type { Translate } from '../../kernel/i18n/index.ts';
import type { IconName, TreeChartItem, TreeTone } from '../../ui/index.ts';
import { includesText } from '../../../schemas/kit/text/text-order.ts';

const ICONS: Record<NetworkNodeKind, IconName> = {
  site: 'map-pin',
  device: 'router',
  port: 'network',
  wifi: 'wifi',
  host: 'monitor',
  station: 'radio',
  vpn: 'shield',
};

function toneOf({ kind, is_up, change }: NetworkNode): TreeTone {
  if (change) return change === 'gone' ? 'idle' : 'warn';
  if (is_up === null) return 'plain';
  if (is_up) return 'good';
  return kind === 'device' ? 'bad' : 'idle';
}

function stateOf({ kind, is_up, change }: NetworkNode, t: Translate): string | undefined {
  if (change) return t(`map.network.${change}`);
  if (is_up === null || kind === 'site') return undefined;
  if (kind === 'device') return t(is_up ? 'map.network.online' : 'map.network.offline');
  return t(is_up ? 'map.network.up' : 'map.network.down');
}

function detailOf(node: NetworkNode, t: Translate): string | undefined {
  const { kind, speed, name, ip, mac, change } = node;
  if (kind === 'port') return speed === null ? undefined : `${speed} Mbit/s`;
  if (kind === 'wifi') return speed === null ? undefined : t('map.network.channel', { channel: speed });
  if (kind === 'vpn') return stateOf(node, t);
  // What is its name already is not said twice.
  const address =
    [name === '' ? undefined : ip, ip === null && name === '' ? undefined : mac].find(Boolean) ??
    (kind === 'station' ? t('map.network.station') : undefined);
  return change ? [t(`map.network.${change}`), address].filter(Boolean).join(' · ') : address;
}

/** A node of the network as it is drawn. */
export function chartItem(node: NetworkNode, t: Translate): TreeChartItem {
  const detail = detailOf(node, t);
  const state = stateOf(node, t);
  return {
    id: node.id,
    parent: node.parent,
    label: node.name || node.ip || node.mac || '—',
    icon: ICONS[node.kind],
    tone: toneOf(node),
    isGone: node.change === 'gone',
    ...(detail === undefined ? {} : { detail }),
    ...(state === undefined ? {} : { state }),
  };
}

/** Whether the name or an address of a node has this text in it. */
export function matchesNode({ name, ip, mac }: NetworkNode, text: string): boolean {
  const wanted = text.trim();
  return wanted === '' || [name, ip, mac].some((one) => includesText(one ?? '', wanted));
}

/** The device and the port that a node hangs on: `Harbour router · port1`. */
export function whereOf({ parent }: NetworkNode, byId: ReadonlyMap<string, NetworkNode>): string {
  const names: string[] = [];
  for (let at = parent === null ? undefined : byId.get(parent); at; at = undefined) {
    names.unshift(at.name);
    const above = at.kind === 'port' || at.kind === 'wifi' ? byId.get(at.parent ?? '') : undefined;
    if (above) names.unshift(above.name);
  }
  return names.join(' · ') || '—';
}
