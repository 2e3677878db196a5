import type { Sim } from '../../../schemas/_generated/contract.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { NoValue } from '../../engine/table/CellContent.tsx';
import type { CellProps } from '../../engine/resources/registry.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { CellLink, Code, cx, PressArea, StatusMark } from '../../ui/index.ts';
import styles from './sims.module.css';

// Rows of this list are SIMs.
const simOf = (row: CellProps['row']): Sim => row as unknown as Sim;

/** The number of a SIM, which opens its details. */
export function SimCell({ row, value }: CellProps) {
  const open = () => void openDialog('sims.details', { id: row.id, iccid: String(value) }, { id: `sim-${row.id}` });
  return (
    <PressArea className={styles.name} onClick={open}>
      <Code>{String(value)}</Code>
    </PressArea>
  );
}

/** The device that a SIM is in. */
export function SimDeviceCell({ row, value }: CellProps) {
  const { device_id: id } = simOf(row);
  return id === null ? <NoValue /> : <CellLink to={`/devices/${id}/mobile-data`}>{String(value)}</CellLink>;
}

/** The slot of a SIM, with its modem where it is the second one. */
export function SimSlotCell({ row }: CellProps) {
  const t = useT();
  const { modem, slot } = simOf(row);
  if (slot === null) return <NoValue />;
  return modem === 2 ? t('lists.sims.second_modem', { slot }) : String(slot);
}

const FULL = 100;
const NEAR = 80;

/** The data of a month, with its share of the limit as a bar. */
export function SimUseCell({ row }: CellProps) {
  const t = useT();
  const { used_bytes: used, used_percent: percent } = simOf(row);
  if (percent === null) return formatBytes(used);
  const isOver = percent >= FULL;
  return (
    <span className={styles.use}>
      <span>{formatBytes(used)}</span>
      <span className={styles.bar} aria-hidden="true">
        <span
          className={cx(styles.part, isOver ? styles.over : percent >= NEAR ? styles.near : undefined)}
          style={{ inlineSize: `${Math.min(FULL, percent)}%` }}
        />
      </span>
      <span className={styles.percent}>{t('dialogs.percent', { percent: formatNumber(percent) })}</span>
    </span>
  );
}

/** What a SIM will have used by the end of its month; marked where that is more than it may. */
export function SimForecastCell({ row }: CellProps) {
  const { forecast_bytes: bytes, limit_bytes: limit } = simOf(row);
  if (bytes === null) return <NoValue />;
  return limit !== null && bytes >= limit ? <StatusMark kind="warn">{formatBytes(bytes)}</StatusMark> : formatBytes(bytes);
}
