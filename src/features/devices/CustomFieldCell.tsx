import { customNameOf } from '../../../schemas/kit/devices/custom-fields.ts';
import type { CellProps } from '../../engine/resources/registry.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { formatTime } from '../../kernel/time/index.ts';
import styles from './devices.module.css';

// `2026-11-25`
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The value of a custom field as a person reads it. */
export function CustomValueText({ value }: { value: unknown }) {
  const t = useT();
  if (typeof value === 'boolean') return t(value ? 'table.yes' : 'table.no');
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'string' || value === '') return <span className={styles.muted}>—</span>;
  return DAY.test(value) ? formatTime(Date.parse(`${value}T12:00:00`), 'YYYY-MM-DD') : value;
}

/** The value of a custom field in the list. */
export function CustomFieldCell({ row, column }: CellProps) {
  const values = row['custom'];
  const name = customNameOf(column.key) ?? '';
  return <CustomValueText value={typeof values === 'object' && values !== null ? Reflect.get(values, name) : undefined} />;
}
