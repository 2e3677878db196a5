import { useT } from '../../kernel/i18n/index.ts';
import { signalLevel } from './status.ts';
import styles from './devices.module.css';

const BARS = [4, 7, 10, 13];
const LIT = { excellent: 4, average: 3, low: 1, no_signal: 0 };

/** Four bars for a signal in dBm; its level and number are its name. */
export function SignalBars({ dbm }: { dbm: number | null }) {
  const t = useT();
  const level = signalLevel(dbm);
  const name = dbm === null ? t('devices.signal.no_signal') : `${t(`devices.signal.${level}`)}, ${t('devices.dbm', { value: dbm })}`;
  return (
    <svg role="img" aria-label={name} width="18" height="14" viewBox="0 0 18 14" className={styles.bars}>
      <title>{name}</title>
      <path className={styles.barLit} d={bars(0, LIT[level])} />
      <path className={styles.bar} d={bars(LIT[level], BARS.length)} />
    </svg>
  );
}

/** The bars from one to another as one shape: a list has hundreds of them. */
function bars(from: number, to: number): string {
  return BARS.slice(from, to)
    .map((height, index) => `M${(from + index) * 5} ${14 - height}h3v${height}h-3z`)
    .join('');
}
