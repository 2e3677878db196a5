import { formatNumber, type Translate } from '../../kernel/i18n/index.ts';
import { shortFirmware } from './status.ts';

export interface FacetPart {
  key: string;
  label: string;
  count: number;
  /** A class of the strip's palette. */
  tone: 'tone0' | 'tone1' | 'tone2' | 'tone3' | 'tone4' | 'tone5' | 'tone6';
  /** The filter's values that choose these devices; empty: the part is no filter. */
  values: readonly string[];
}

export interface Facet {
  /** The list's filter that the parts set. */
  filter: string;
  title: string;
  summary?: string;
  parts: FacetPart[];
}

type Counts = Record<string, number>;
type Tones = readonly [key: string, tone: FacetPart['tone']][];

// The API counts by the numbers of the wire; the filter takes words.
const STATUSES: readonly [count: string, filter: string, tone: FacetPart['tone']][] = [
  ['1', 'online', 'tone0'],
  ['0', 'offline', 'tone1'],
  ['2', 'pending', 'tone2'],
  ['null', 'not_activated', 'tone3'],
];
const CONNECTIONS: Tones = [
  ['5g', 'tone4'],
  ['4g', 'tone5'],
  ['3g', 'tone6'],
  ['2g', 'tone2'],
  ['unknown', 'tone3'],
];
const SIGNALS: Tones = [
  ['excellent', 'tone0'],
  ['average', 'tone5'],
  ['low', 'tone2'],
  ['no_signal', 'tone3'],
];
const FIRMWARE_PARTS = 3;

function statusFacet(counts: Counts, t: Translate): Facet {
  const parts = STATUSES.map(([key, name, tone]) => ({
    key,
    label: t(`devices.status.${name}`),
    count: counts[key] ?? counts[name] ?? 0,
    tone,
    values: [name],
  }));
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  const online = parts[0]?.count ?? 0;
  // Never "100 %" while one is missing: rounded down to a tenth.
  const percent = Math.floor((online / total) * 1000) / 10;
  return {
    filter: 'status',
    title: t('devices.facets.status'),
    ...(total > 0 ? { summary: t('devices.facets.online', { percent: formatNumber(percent) }) } : {}),
    parts: parts.filter((part) => part.count > 0),
  };
}

function plainFacet(filter: string, counts: Counts, tones: Tones, texts: string, t: Translate): Facet {
  return {
    filter,
    title: t(`devices.facets.${filter}`),
    parts: tones.flatMap(([key, tone]) =>
      counts[key] ? [{ key, label: t(`${texts}.${key}`), count: counts[key], tone, values: [key] }] : [],
    ),
  };
}

/** The most used versions each as a part, the others together. Families name the same version differently, so a part may stand for several names. */
function firmwareFacet(counts: Counts, t: Translate): Facet {
  const versions = Map.groupBy(
    Object.entries(counts).filter(([name]) => name !== '' && name !== 'null' && name !== 'unknown'),
    ([name]) => shortFirmware(name),
  );
  const sorted = [...versions]
    .map(([label, names]) => ({ label, names: names.map(([name]) => name), count: names.reduce((sum, [, count]) => sum + count, 0) }))
    .sort((a, b) => b.count - a.count);
  const tones = ['tone0', 'tone5', 'tone4'] as const;
  const parts: FacetPart[] = sorted.slice(0, FIRMWARE_PARTS).map(({ label, names, count }, index) => ({
    key: label,
    label,
    count,
    tone: tones[index] ?? 'tone3',
    values: names,
  }));
  const others = sorted.slice(FIRMWARE_PARTS);
  if (others.length > 0) {
    parts.push({
      key: 'others',
      label: t('devices.facets.others'),
      count: others.reduce((sum, { count }) => sum + count, 0),
      tone: 'tone6',
      values: [],
    });
  }
  return {
    filter: 'firmware',
    title: t('devices.facets.firmware'),
    ...(sorted.length > 0 ? { summary: t('devices.facets.versions', { count: sorted.length }) } : {}),
    parts,
  };
}

/** The strip's four facets from the API's counts (`GET /devices/statistics`). */
export function describeFacets(statistics: Record<string, Counts>, t: Translate): Facet[] {
  return [
    statusFacet(statistics['status'] ?? {}, t),
    plainFacet('connection_type', statistics['connection_type'] ?? {}, CONNECTIONS, 'devices.connection', t),
    firmwareFacet(statistics['firmware'] ?? {}, t),
    plainFacet('signal', statistics['signal'] ?? {}, SIGNALS, 'devices.signal', t),
  ];
}
