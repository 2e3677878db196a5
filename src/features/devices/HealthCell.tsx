import { HealthMark } from '../../engine/readings/HealthMark.tsx';
import type { CellProps } from '../../engine/resources/registry.ts';
import styles from './devices.module.css';

/** The health of a device in the list. */
export function HealthCell({ value }: CellProps) {
  return typeof value === 'number' ? <HealthMark score={value} /> : <span className={styles.muted}>—</span>;
}
