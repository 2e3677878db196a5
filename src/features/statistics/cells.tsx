import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { kindWord } from '../../engine/history/job-title.ts';
import type { CellProps } from '../../engine/resources/registry.ts';

/** A number of a month, which says so where nobody knows it any more. */
export const knownNumber = knownCell((value) => formatNumber(value));

/** The same for bytes. */
export const knownBytes = knownCell(formatBytes);

/** What a job did on a device, in a word. */
export function JobKindWord({ value }: CellProps) {
  return kindWord(String(value ?? ''));
}

function knownCell(format: (value: number) => string) {
  return function KnownCell({ value }: CellProps) {
    const t = useT();
    return typeof value === 'number' ? format(value) : t('statistics.notKnown');
  };
}
