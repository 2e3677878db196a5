import type { CellProps } from '../../engine/resources/registry.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { CellLink } from '../../ui/index.ts';

/** The name of a device, which leads to its Wi-Fi. */
export function WirelessDeviceCell({ row, value }: CellProps) {
  return <CellLink to={`/devices/${Number(row['id'])}/wireless`}>{String(value)}</CellLink>;
}

/** Minutes with their unit. */
export function MinutesCell({ value }: CellProps) {
  const t = useT();
  return <>{`${formatNumber(Number(value))} ${t('units.minutes')}`}</>;
}

/** Megabytes as an amount of data; 0 is no limit. */
export function MegabytesCell({ value }: CellProps) {
  return <>{Number(value) === 0 ? '∞' : formatBytes(Number(value) * 1_000_000)}</>;
}
