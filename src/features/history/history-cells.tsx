import type { Change } from '../../../schemas/_generated/contract.ts';
import { changeSentence, whoText } from '../../engine/history/sentence.ts';
import type { CellProps } from '../../engine/resources/registry.ts';
import type { Row } from '../../engine/resources/resource.ts';
import { useT } from '../../kernel/i18n/index.ts';

/** The row of the list as the change that it is. */
export function isChange(row: Row | Change): row is Change {
  return 'count' in row && 'action' in row;
}

/** What was done, as a sentence; how much of it was undone since. */
export function HistoryChangeCell({ row, link }: CellProps) {
  const t = useT();
  if (!isChange(row)) return null;
  const { count, undone_count: undone } = row;
  return (
    <>
      {link(changeSentence(t, row))}
      {undone > 0 ? <> · {undone === count ? t('history.undone.all') : t('history.undone', { count: undone })}</> : null}
    </>
  );
}

/** Who did it, and for whom. */
export function HistoryUserCell({ row }: CellProps) {
  const t = useT();
  return isChange(row) ? whoText(t, row) : null;
}
