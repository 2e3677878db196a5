import { readFileSync } from 'node:fs';
import type { ConfigDocument } from '../../../schemas/kit/devices/configuration.ts';
import { seriesOf } from '../../../schemas/kit/devices/device-models.ts';
import { readConfiguration } from '../../../schemas/kit/devices/read-configuration.ts';
import type { Db, Row } from '../../db/schema.ts';

export const SYSTEMS = ['rutos', 'tswos', 'openwrt', 'debian'] as const;
/** Whose settings a document describes. */
export type System = (typeof SYSTEMS)[number];

const shipped = new Map<'openwrt' | 'debian', ConfigDocument>();

function shippedDocument(system: 'openwrt' | 'debian'): ConfigDocument {
  const known = shipped.get(system);
  if (known) return known;
  const text = readFileSync(new URL(`../../../schemas/configuration/${system}.json`, import.meta.url), 'utf8');
  const read = readConfiguration(JSON.parse(text));
  if ('fault' in read) throw new Error(`schemas/configuration/${system}.json: ${read.fault.at} ${read.fault.reason}`);
  shipped.set(system, read.document);
  return read.document;
}

/** The system of a device; undefined for one whose settings are not known. */
export function systemOf({ model, os }: Pick<Row<'devices'>, 'model' | 'os'>): System | undefined {
  if (/^(?:debian|ubuntu|raspbian)/i.test(os)) return 'debian';
  const series = seriesOf(model);
  if (series !== undefined) return series === 'TSW' ? 'tswos' : 'rutos';
  return /openwrt/i.test(os) ? 'openwrt' : undefined;
}

// Documents are large and change seldom: one that was parsed is kept under the text that it came from.
const parsed = new Map<System, { text: string; document: ConfigDocument }>();

/** What is known of the settings of a system: what was uploaded for it, else what ships. RutOS and TSWOS are OpenWrt underneath. */
export async function documentFor(db: Db, system: System): Promise<ConfigDocument> {
  if (system === 'openwrt' || system === 'debian') return shippedDocument(system);
  const row = await db.selectFrom('api_descriptions').select('document').where('system', '=', system).executeTakeFirst();
  const text = row?.document;
  if (!text) return shippedDocument('openwrt');
  const known = parsed.get(system);
  // Our own writing, made from a file that was checked.
  const document = known?.text === text ? known.document : (JSON.parse(text) as ConfigDocument);
  parsed.set(system, { text, document });
  return document.sections.length > 0 ? document : shippedDocument('openwrt');
}
