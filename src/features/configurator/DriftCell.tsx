import type { ConfigurationDrift } from '../../../schemas/_generated/contract.ts';
import type { CellProps } from '../../engine/resources/registry.ts';
import { useT } from '../../kernel/i18n/index.ts';
import styles from './configurator.module.css';

const MOST = 4;
const plain = (value: string | string[] | null): string => [value ?? '–'].flat().join(', ');

/** Where a device differs from its template: option, what it has, and what the template says. */
export function DriftCell({ row }: CellProps) {
  const t = useT();
  // The list gives rows of this entity.
  const { differences, differences_count: count, fault, fault_names: names } = row as unknown as ConfigurationDrift;
  if (fault !== null) return <span className={styles.muted}>{t(`configurator.fault_${fault}`, { names: names ?? '' })}</span>;
  if (count === 0) return <span className={styles.muted}>–</span>;
  return (
    <span className={styles.differences}>
      {differences.slice(0, MOST).map(({ section, item, option, before, after }) => (
        <span key={`${section} ${item} ${option}`}>
          {`${item}.${option}: `}
          <del>{plain(before)}</del>
          {' → '}
          <ins>{plain(after)}</ins>
        </span>
      ))}
      {count > MOST ? <span className={styles.muted}>{t('configurator.more', { count: count - MOST })}</span> : null}
    </span>
  );
}
