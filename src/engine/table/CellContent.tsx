import { createElement } from 'react';
import type { ReactNode } from 'react';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { Muted } from '../../ui/index.ts';
import { findCell } from '../resources/registry.ts';
import { recordTitle } from '../resources/resource.ts';
import type { Resource, Row } from '../resources/resource.ts';

export interface CellContentProps {
  column: ColumnEntry;
  row: Row;
  resource: Resource;
  link: (content: ReactNode) => ReactNode;
}

/** What a cell shows: the registered cell of the column, else the value as text. */
export function CellContent({ column, row, resource, link }: CellContentProps) {
  const Cell = findCell(column.cell);
  const value = row[column.key];
  if (Cell) return createElement(Cell, { value, row, resource, column, link });
  if (column.primary) return link(recordTitle(resource, row));
  return isBlank(value) ? <NoValue /> : String(value);
}

/** In place of a value that is not known, so that an empty cell is never taken for one that failed to load. */
export function NoValue() {
  return <Muted>—</Muted>;
}

/** Whether a value is nothing to show. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
