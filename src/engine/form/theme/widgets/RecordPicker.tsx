import { useState, type ReactNode } from 'react';
import { failureMessage } from '../../../../kernel/http/index.ts';
import { useT } from '../../../../kernel/i18n/index.ts';
import { Button, Checkbox, IconButton, Radio, SmallTable, Spinner } from '../../../../ui/index.ts';
import { recordTitle } from '../../../resources/resource.ts';
import { CellContent } from '../../../table/CellContent.tsx';
import { FilterBar } from '../../../table/FilterBar.tsx';
import { fieldLabel } from '../../../table/labels.ts';
import { defaultListState, filterQuery } from '../../../table/list-state.ts';
import { NARROW, useMedia } from '../../../table/use-media.ts';
import { useLookup } from '../../use-lookup.ts';
import styles from './picker.module.css';
import { fetchAllMatching, useRecords } from './use-records.ts';
import type { Resource, Row } from '../../../resources/resource.ts';
import type { SelectionInput } from '../../../../../schemas/kit/form/types.ts';
import type { ListState } from '../../../table/list-state.ts';

/** A list's filters with the number of records that the user saw. */
export type MatchingRecords = NonNullable<SelectionInput['selection']>;

export interface RecordPickerProps {
  label: string;
  resource: Resource;
  /** Keys of the resource's columns. */
  columns: readonly string[];
  chosen: readonly number[];
  most: number;
  isMultiple: boolean;
  /** Offers only records that pass the list's filter `supports` with this value. */
  supports?: string;
  /** Everything that a query matches is chosen. */
  matching?: MatchingRecords;
  /** Takes everything that matches as a query, where that is possible; else all of it is chosen one by one. */
  onChooseMatching?: (matching: MatchingRecords) => void;
  disabled?: boolean;
  onChange: (ids: number[]) => void;
}

const PAGE_SIZE = 10;
/** The columns that a phone has room for. */
const NARROW_COLUMNS = 2;
/** The chosen that are named; more are counted. */
const NAMED = 8;
const NO_PARAMS: Record<string, string> = {};

/** A resource's list in small, to choose records from: search, filters, pages, all that match. */
export default function RecordPicker({
  label,
  resource,
  columns,
  chosen,
  most,
  isMultiple,
  supports,
  matching,
  onChooseMatching,
  disabled,
  onChange,
}: RecordPickerProps) {
  const t = useT();
  const isNarrow = useMedia(NARROW);
  const [list, setList] = useState<ListState>(() => ({ ...defaultListState(resource), size: PAGE_SIZE }));
  const [failure, setFailure] = useState('');
  const [isCollecting, setCollecting] = useState(false);
  const fixed = supports === undefined ? NO_PARAMS : { supports };
  const records = useRecords(resource, list, fixed);
  const named = useLookup(resource.name, NO_PARAMS, chosen.slice(0, NAMED));
  const isFull = chosen.length >= most;

  function toggle({ id }: Row): void {
    if (!isMultiple) onChange([id]);
    else onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  }

  function changeList(next: ListState): void {
    setList({ ...next, size: PAGE_SIZE });
    // What was chosen as "all that match" matched the former filters.
    if (matching) onChange([]);
  }

  async function chooseAllMatching(): Promise<void> {
    const query = { ...filterQuery(list), ...fixed };
    if (onChooseMatching && records.total <= most) {
      onChooseMatching({ query, count: records.total });
      return;
    }
    setCollecting(true);
    setFailure('');
    try {
      const rows = await fetchAllMatching(resource, query, most);
      onChange([...new Set([...chosen, ...rows.map(({ id }) => id)])].slice(0, most));
    } catch (error) {
      setFailure(failureMessage(error));
    } finally {
      setCollecting(false);
    }
  }

  const isChosen = (id: number): boolean => matching !== undefined || chosen.includes(id);

  function drawMark(row: Row): ReactNode {
    const isBarred = matching !== undefined || (isMultiple && isFull && !isChosen(row.id));
    const Mark = isMultiple ? Checkbox : Radio;
    return (
      <Mark
        aria-label={recordTitle(resource, row)}
        checked={isChosen(row.id)}
        disabled={disabled || isBarred}
        onChange={() => toggle(row)}
      />
    );
  }

  return (
    <div
      role="presentation"
      className={styles.picker}
      onKeyDown={(event) => {
        // Enter in the search searches; it does not send the form around it.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <FilterBar resource={withoutTextFilters(resource)} state={list} onChange={changeList} />
      {supports === undefined ? null : (
        <p className={styles.note}>{t('form.picker.supports', { feature: t(`form.supports.${supports}`) })}</p>
      )}
      <div className={styles.scroll}>
        <SmallTable
          className={styles.table}
          label={label}
          rows={records.rows}
          keyOf={({ id }) => id}
          isChosen={({ id }) => isChosen(id)}
          columns={[
            { key: '', title: t('form.picker.choose'), hidesTitle: true, render: drawMark },
            ...(isNarrow ? columns.slice(0, NARROW_COLUMNS) : columns).map((key) => ({
              key,
              title: fieldLabel(resource, key),
              render: (row: Row) => (
                <CellContent column={columnOf(resource, key)} row={row} resource={resource} link={(content) => content} />
              ),
            })),
          ]}
        />
        <ReadState records={records} />
      </div>
      <div className={styles.foot}>
        <span role="status">{t('table.selected', { count: matching?.count ?? chosen.length })}</span>
        {isMultiple && !matching && records.total > 0 && !disabled ? (
          <Button variant="link" isBusy={isCollecting} onClick={() => void chooseAllMatching()}>
            {t('table.selectAllMatching', { count: records.total })}
          </Button>
        ) : null}
        {(matching || chosen.length > 0) && !disabled ? (
          <Button variant="link" onClick={() => onChange([])}>
            {t('table.clearSelection')}
          </Button>
        ) : null}
        <Pages total={records.total} page={list.page} onChange={(page) => setList({ ...list, page })} />
      </div>
      {chosen.length > 0 ? (
        <p className={styles.note}>
          {named.selected.map((option) => option.label).join(', ')}
          {chosen.length > NAMED ? ` ${t('form.csv.more', { count: chosen.length - NAMED })}` : ''}
        </p>
      ) : null}
      {failure ? (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      ) : null}
    </div>
  );
}

/** That the page is being read, has nothing, or could not be read. */
function ReadState({ records: { state, rows, retry } }: { records: ReturnType<typeof useRecords> }) {
  const t = useT();
  if (state === 'loading') return <Spinner />;
  if (state === 'ready') return rows.length === 0 ? <p className={styles.note}>{t('form.list.empty')}</p> : null;
  return (
    <p role="alert" className={styles.failure}>
      {t('form.list.failed')}{' '}
      <Button variant="link" onClick={retry}>
        {t('form.list.retry')}
      </Button>
    </p>
  );
}

/** The part of all records that is shown, and the way to the next; nothing where all fit on one page. */
function Pages({ total, page, onChange }: { total: number; page: number; onChange: (page: number) => void }) {
  const t = useT();
  if (total <= PAGE_SIZE) return null;
  const last = Math.ceil(total / PAGE_SIZE);
  return (
    <span className={styles.pages}>
      {t('table.range', { from: (page - 1) * PAGE_SIZE + 1, to: Math.min(page * PAGE_SIZE, total), count: total })}
      <IconButton
        icon="chevron-left"
        size="small"
        label={t('table.previousPage')}
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
      />
      <IconButton
        icon="chevron-right"
        size="small"
        label={t('table.nextPage')}
        disabled={page >= last}
        onClick={() => onChange(page + 1)}
      />
    </span>
  );
}

/** A text filter brings a form of its own, which cannot be inside another. */
function withoutTextFilters(resource: Resource): Resource {
  return resource.table
    ? { ...resource, table: { ...resource.table, filters: resource.table.filters.filter(({ kind }) => kind !== 'text') } }
    : resource;
}

function columnOf(resource: Resource, key: string) {
  return resource.table?.columns.find((column) => column.key === key) ?? { key };
}
