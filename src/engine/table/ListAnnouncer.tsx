import { useT } from '../../kernel/i18n/index.ts';

export interface ListAnnouncerProps {
  /** How many records match; `undefined` before the first load. */
  total: number | undefined;
  selected: number;
  added: number;
}

/** Announces the counts to screen readers when they change: never a row (docs/checks.md T8). */
export function ListAnnouncer({ total, selected, added }: ListAnnouncerProps) {
  const t = useT();
  return (
    <>
      <p role="status" className="visually-hidden">
        {total === undefined ? '' : t('table.found', { count: total })}
      </p>
      <p role="status" className="visually-hidden">
        {selected > 0 ? t('table.selected', { count: selected }) : ''}
      </p>
      <p role="status" className="visually-hidden">
        {added > 0 ? t('table.newRows', { count: added }) : ''}
      </p>
    </>
  );
}
