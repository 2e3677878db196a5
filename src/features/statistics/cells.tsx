import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { formatBytes } from '../../engine/table/format.ts';
import type { CellProps } from '../../engine/resources/registry.ts';

/** A number of a month, which says so where nobody knows it any more. */
export const knownNumber = knownCell((value) => formatNumber(value));

/** The same for bytes. */
export const knownBytes = knownCell(formatBytes);

function knownCell(format: (value: number) => string) {
  return function KnownCell({ value }: CellProps) {
    const t = useT();
    return typeof value === 'number' ? format(value) : t('statistics.notKnown');
  };
}
