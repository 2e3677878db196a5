import type { Widget } from '../../../../schemas/kit/resources/dashboards.ts';
import type { Translate } from '../../../kernel/i18n/index.ts';

const OWN: ReadonlySet<string> = new Set(['devices', 'online', 'offline', 'pending', 'online_share', 'all', 'presence', 'identity']);

/** The name of what a widget shows. */
export function sourceName(t: Translate, source: string): string {
  return t(OWN.has(source) ? `dashboards.source.${source}` : `fields.${source}`);
}

/** What a widget is called: its own title, or what it shows. */
export function widgetTitle(t: Translate, { type, title, source }: Widget): string {
  if (title) return title;
  return source === undefined ? t(`dashboards.type.${type}`) : sourceName(t, source);
}
