import type { CellProps } from '../../engine/resources/registry.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { CellLink } from '../../ui/index.ts';

/** The name of a device, which leads to its Wi-Fi. */
export function WirelessDeviceCell({ row, value }: CellProps) {
  return <CellLink to={`/devices/${Number(row['id'])}/wireless`}>{String(value)}</CellLink>;
}

/** Minutes with their unit; 0 is no limit. */
export function MinutesCell({ value }: CellProps) {
  const t = useT();
  return <>{Number(value) === 0 ? '∞' : `${formatNumber(Number(value))} ${t('units.minutes')}`}</>;
}

/** Megabytes as an amount of data; 0 is no limit. */
export function MegabytesCell({ value }: CellProps) {
  const t = useT();
  return <>{Number(value) === 0 ? '∞' : `${formatNumber(Number(value))} ${t('units.megabytes')}`}</>;
}
