import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import type { CellProps } from '../../engine/resources/registry.ts';
import styles from './companies.module.css';

/** How many of the devices of a company and all below it are online, as a bar and in words. */
export function CompanyDevicesCell({ row }: CellProps) {
  const t = useT();
  const all = row['devices_below'] ?? row['devices_count'];
  const online = row['online_below'];
  if (typeof all !== 'number') return null;
  if (typeof online !== 'number' || all === 0) return formatNumber(all);
  return (
    <span className={styles.devicesCell}>
      <span className={styles.health} aria-hidden="true">
        <span style={{ inlineSize: `${(online / all) * 100}%` }} />
      </span>
      {t('companies.online', { online: formatNumber(online), count: all })}
    </span>
  );
}
