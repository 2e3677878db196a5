import type { Translate } from '../../kernel/i18n/index.ts';
import type { Layer } from '../../ui/index.ts';
import { mobileDays, simsOf, waysIn, type Sim, type UsageDay } from './mobile-usage.ts';

const COLORS = ['accent', 'warn', 'good', 'idle'] as const;

/** What a way is called: a SIM, and of which modem where it is not the first one. */
export function wayName({ modem, slot }: Sim, t: Translate): string {
  if (modem !== '1') return t('devices.usage.modem_sim', { modem, slot });
  return slot === 0 ? t('devices.usage.other') : t('devices.usage.sim', { slot });
}

const layersOf = (ways: readonly Sim[], days: readonly UsageDay[], t: Translate): Layer[] =>
  ways.map((sim, index) => ({
    label: wayName(sim, t),
    color: COLORS[index % COLORS.length] ?? 'idle',
    values: mobileDays(days, sim).map(({ bytes }) => bytes),
  }));

/** Bytes of each day by SIM, as layers of a chart. */
export const simLayers = (days: readonly UsageDay[], t: Translate): Layer[] => layersOf(simsOf(days), days, t);

/** The same with what went another way. */
export const wayLayers = (days: readonly UsageDay[], t: Translate): Layer[] => layersOf(waysIn(days), days, t);
