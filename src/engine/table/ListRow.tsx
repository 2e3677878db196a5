import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router';
import { useT } from '../../kernel/i18n/index.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import styles from '../../ui/table/Table.module.css';
import type { ActionEntry, ColumnEntry } from '../../../schemas/kit/resource-types.ts';
import type { RowMark } from '../live/live-rows.ts';
import { recordPath, recordTitle } from '../resources/resource.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { CellContent } from './CellContent.tsx';
import { fieldLabel } from './labels.ts';
import { RowMenu } from './RowMenu.tsx';

export interface ListRowProps {
  row: Row;
  resource: Resource;
  columns: readonly ColumnEntry[];
  /** Where cells stay while the others scroll sideways, by column; absent when nothing is pinned. */
  pins: ReadonlyMap<string, CSSProperties> | undefined;
  selected: boolean;
  /** Whether there is anything to do with several; without it there is nothing to tick. */
  canSelect: boolean;
  mark: RowMark | undefined;
  /** Field → how often it changed since the load. */
  changes: Readonly<Record<string, number>> | undefined;
  /** What can be done with a record; no menu without any. */
  actions: readonly ActionEntry[];
  /** Two lines instead of columns, for a narrow screen. */
  isNarrow: boolean;
  onToggle: (id: number, range: boolean) => void;
  onAction: (action: ActionEntry, row: Row) => void;
  /** Opens a record that has no page of its own; absent when nothing opens it. */
  openingAction: ActionEntry | undefined;
}

// Beside the name and the line that its cell may add, so that a row has two lines unless its list says which fields matter.
const NARROW_COLUMNS = 2;

/** One record. Memoised on its own record and marks, so that a live change draws this row and no other. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { row, resource, columns, selected, mark, isNarrow, onToggle } = props;
  const t = useT();
  const name = recordTitle(resource, row);
  const link = (content: ReactNode) => <RowLink {...props}>{content}</RowLink>;
  const primary = columns.find((column) => column.primary) ?? columns[0];
  return (
    <tr className={styles.row} data-selected={selected || undefined} data-mark={mark} data-row-id={row.id}>
      {props.canSelect ? (
        <td className={styles.check}>
          <Checkbox
            aria-label={t('table.selectRow', { name })}
            checked={selected}
            disabled={mark === 'removed'}
            onChange={(event) => onToggle(row.id, isShiftPress(event.nativeEvent))}
          />
        </td>
      ) : null}
      {isNarrow ? (
        <th scope="row" className={cx(styles.cell, styles.narrowCell)}>
          <span className={styles.narrow}>
            <span className={styles.narrowMain}>
              {primary ? <CellContent column={primary} row={row} resource={resource} link={link} /> : null}
            </span>
            <span className={styles.narrowEnd}>
              {besideName(columns, primary).map((column) => (
                <span key={column.key} className={styles.part} data-flash={flash(props.changes, column)}>
                  {column.align === 'end' ? <span className={styles.partLabel}>{fieldLabel(resource, column.key)}</span> : null}
                  <CellContent column={column} row={row} resource={resource} link={asIs} />
                </span>
              ))}
            </span>
          </span>
          <MarkNote mark={mark} />
        </th>
      ) : (
        columns.map((column) => {
          const Cell = column === primary ? 'th' : 'td';
          return (
            <Cell
              key={column.key}
              scope={column === primary ? 'row' : undefined}
              className={styles.cell}
              data-align={column.align}
              data-pin={props.pins?.has(column.key) ? '' : undefined}
              style={props.pins?.get(column.key)}
              data-flash={flash(props.changes, column)}
            >
              <CellContent column={column} row={row} resource={resource} link={column === primary ? link : asIs} />
              {column === primary ? <MarkNote mark={mark} /> : null}
            </Cell>
          );
        })
      )}
      {props.actions.length > 0 ? (
        <td className={styles.menuCell}>
          {mark === 'removed' ? null : (
            <RowMenu row={row} name={name} resource={resource} actions={props.actions} onAction={props.onAction} />
          )}
        </td>
      ) : null}
    </tr>
  );
});

function besideName(columns: readonly ColumnEntry[], primary: ColumnEntry | undefined): readonly ColumnEntry[] {
  const others = columns.filter((column) => column !== primary);
  const told = others.filter((column) => column.narrow);
  return told.length > 0 ? told : others.slice(0, NARROW_COLUMNS);
}

function RowLink({ row, resource, openingAction, onAction, children }: ListRowProps & { children: ReactNode }) {
  const path = recordPath(resource, row);
  if (path) {
    return (
      <Link className={styles.link} to={path} data-row-focus>
        {children}
      </Link>
    );
  }
  if (openingAction) {
    return (
      <button type="button" className={styles.link} data-row-focus onClick={() => onAction(openingAction, row)}>
        {children}
      </button>
    );
  }
  return (
    <span className={styles.linkText} tabIndex={-1} data-row-focus>
      {children}
    </span>
  );
}

function MarkNote({ mark }: { mark: RowMark | undefined }) {
  const t = useT();
  return mark ? <span className={styles.mark}>{t(mark === 'removed' ? 'table.removed' : 'table.noLongerMatches')}</span> : null;
}

function isShiftPress(event: Event): boolean {
  return 'shiftKey' in event && event.shiftKey === true;
}

/** Alternates, so that a second change within the tint starts it again. An age that begins anew with each report is no news. */
function flash(changes: ListRowProps['changes'], column: ColumnEntry): 'a' | 'b' | undefined {
  if (column.cell === 'relative-time') return undefined;
  const count = changes?.[column.key];
  return count === undefined ? undefined : count % 2 === 0 ? 'a' : 'b';
}

function asIs(content: ReactNode): ReactNode {
  return content;
}
