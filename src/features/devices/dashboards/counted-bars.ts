import type { Translate } from '../../../kernel/i18n/index.ts';
import type { Bar } from '../../../ui/index.ts';
import { statusName } from '../status.ts';
import { sum } from './widget-parts.tsx';

const MOST_BARS = 12;
/** Where a value is good or bad by itself; all others have one colour, so that no colour says what is not meant. */
const COLORS: Readonly<Record<string, Readonly<Record<string, Bar['color']>>>> = {
  status: { '1': 'good', '0': 'bad', '2': 'warn' },
  signal: { excellent: 'good', average: 'accent', low: 'warn' },
};

/** Values of these have words of their own. */
const WORDS: Readonly<Record<string, readonly [texts: string, values: readonly string[]]>> = {
  connection_type: ['devices.connection', ['5g', '4g', '3g', '2g', 'unknown']],
  signal: ['devices.signal', ['excellent', 'average', 'low', 'no_signal']],
};

function wordsOf(t: Translate, source: string, name: string): string {
  if (source === 'status') return t(`devices.status.${statusName(name === 'null' ? null : Number(name))}`);
  const [texts, values] = WORDS[source] ?? ['', []];
  if (values.includes(name)) return t(`${texts}.${name}`);
  return name === 'unknown' || name === 'null' || name === '' ? t('statistics.notKnown') : name.replaceAll('_', ' ');
}

/** The devices that the dashboard follows, counted by one of their fields, most first. */
export function barsOf(t: Translate, source: string, counts: Record<string, number> = {}): Bar[] {
  const entries = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  return entries.slice(0, MOST_BARS).map(([name, value]): Bar => {
    const colors = COLORS[source];
    return { label: wordsOf(t, source, name), value, color: colors ? (colors[name] ?? 'idle') : 'accent' };
  });
}

/** So many slices can be distinguished by their colours; what is left is one slice. */
const MOST_SLICES = 6;

/** The devices counted by a field as slices that add up to all of them. */
export function slicesOf(t: Translate, source: string, counts: Record<string, number> = {}): (Bar & { share: number; before: number })[] {
  const all = sum(counts);
  const first = barsOf(t, source, counts).slice(0, MOST_SLICES - 1);
  const others = all - first.reduce((total, { value }) => total + value, 0);
  const slices: Bar[] = others > 0 ? [...first, { label: t('dashboards.others'), value: others, color: 'idle' }] : first;
  let before = 0;
  return slices.map((slice) => {
    const share = (slice.value / all) * 100;
    before += share;
    return { ...slice, share, before: before - share };
  });
}
