import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { CheckCell, Checkbox, MenuCell, NarrowCell, RowName, RowNote, Spinner, TableCell, TableRow } from '../../ui/index.ts';
import type { ActionEntry, ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { useIsDownloading } from '../live/busy-rows.ts';
import type { RowMark } from '../live/live-rows.ts';
import { recordPath, recordTitle } from '../resources/resource.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { CellContent } from './CellContent.tsx';
import { columnLabel } from './labels.ts';
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
  /** The row's checkbox was ticked or unticked; with Shift the rows between follow it. */
  onToggle: (id: number, event: unknown) => void;
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
  const isDownloading = useIsDownloading(resource.name, row.id);
  const name = recordTitle(resource, row);
  const link = (content: ReactNode) => <Name {...props}>{content}</Name>;
  const primary = columns.find((column) => column.primary) ?? columns[0];
  return (
    <TableRow id={row.id} isSelected={selected} mark={mark}>
      {props.canSelect ? (
        <CheckCell>
          <Checkbox
            aria-label={t('table.selectRow', { name })}
            checked={selected}
            disabled={mark === 'removed'}
            onChange={(event) => onToggle(row.id, event)}
          />
        </CheckCell>
      ) : null}
      {isNarrow ? (
        <NarrowCell
          main={primary ? <CellContent column={primary} row={row} resource={resource} link={link} /> : null}
          parts={besideName(columns, primary).map((column) => ({
            key: column.key,
            label: column.align === 'end' || column.cell === 'boolean' ? columnLabel(resource, column) : undefined,
            flash: flash(props.changes, column),
            content: <CellContent column={column} row={row} resource={resource} link={asIs} />,
          }))}
          note={<MarkNote mark={mark} isDownloading={isDownloading} />}
        />
      ) : (
        columns.map((column) => (
          <TableCell
            key={column.key}
            isRowHead={column === primary}
            align={column.align}
            pin={props.pins?.get(column.key)}
            flash={flash(props.changes, column)}
          >
            <CellContent column={column} row={row} resource={resource} link={column === primary ? link : asIs} />
            {column === primary ? <MarkNote mark={mark} isDownloading={isDownloading} /> : null}
          </TableCell>
        ))
      )}
      {props.actions.length > 0 ? (
        <MenuCell>
          {mark === 'removed' ? null : (
            <RowMenu key={row.id} row={row} name={name} resource={resource} actions={props.actions} onAction={props.onAction} />
          )}
        </MenuCell>
      ) : null}
    </TableRow>
  );
});

function besideName(columns: readonly ColumnEntry[], primary: ColumnEntry | undefined): readonly ColumnEntry[] {
  const others = columns.filter((column) => column !== primary);
  const named = others.filter((column) => column.narrow);
  return named.length > 0 ? named : others.slice(0, NARROW_COLUMNS);
}

function Name({ row, resource, openingAction, onAction, children }: ListRowProps & { children: ReactNode }) {
  return (
    <RowName to={recordPath(resource, row)} onOpen={openingAction && (() => onAction(openingAction, row))}>
      {children}
    </RowName>
  );
}

function MarkNote({ mark, isDownloading }: { mark: RowMark | undefined; isDownloading: boolean }) {
  const t = useT();
  if (isDownloading)
    return (
      <RowNote>
        <Spinner size={12} label="" /> {t('table.downloading')}
      </RowNote>
    );
  return mark ? <RowNote>{t(mark === 'removed' ? 'table.removed' : 'table.noLongerMatches')}</RowNote> : null;
}

/** Alternates, so that a second change within the tint starts it again. An age that begins again with each report is no news. */
function flash(changes: ListRowProps['changes'], column: ColumnEntry): 'a' | 'b' | undefined {
  if (column.cell === 'relative-time') return undefined;
  const count = changes?.[column.key];
  return count === undefined ? undefined : count % 2 === 0 ? 'a' : 'b';
}

function asIs(content: ReactNode): ReactNode {
  return content;
}
