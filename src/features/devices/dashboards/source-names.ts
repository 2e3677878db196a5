import type { Widget } from '../../../../schemas/kit/resources/dashboards.ts';
import { isCollected, useCollected } from '../../../engine/readings/collected.ts';
import { useT, type Translate } from '../../../kernel/i18n/index.ts';

const OWN: ReadonlySet<string> = new Set([
  'devices',
  'online',
  'offline',
  'pending',
  'online_share',
  'all',
  'presence',
  'identity',
  'vpn_hubs',
  'vpn_clients',
  'vpn_connected',
]);

/** The name of what a widget shows. */
export function sourceName(t: Translate, source: string): string {
  return t(OWN.has(source) ? `dashboards.source.${source}` : `fields.${source}`);
}

/** The name of what a widget shows, also where a monitoring template collects it. */
export function useSourceName(source: string): string {
  const t = useT();
  const isOfTemplate = isCollected(source);
  const collected = useCollected(isOfTemplate);
  if (!isOfTemplate) return sourceName(t, source);
  return collected.find(({ metric }) => metric === source)?.label ?? source;
}

/** What a widget is called: its own title, or what it shows. */
export function useWidgetTitle({ type, title, source }: Widget): string {
  const t = useT();
  const name = useSourceName(source ?? 'all');
  if (title) return title;
  return source === undefined ? t(`dashboards.type.${type}`) : name;
}
