import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, test } from 'vitest';
import { startI18n } from '../../kernel/i18n/index.ts';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import './generic-cells.tsx';
import { ListRow, type ListRowProps } from './ListRow.tsx';
import { gadgets } from './test-kit.tsx';

beforeAll(() => startI18n('en'));

const row = { id: 1, name: 'Quay', firmware: '07.14', serial: '1106', operator: 'Telia', description: 'On the pier' };

function renderRow(columns: ColumnEntry[], props: Partial<ListRowProps> = {}) {
  render(
    <MemoryRouter>
      <table>
        <tbody>
          <ListRow
            {...{
              row,
              columns,
              resource: gadgets,
              pins: undefined,
              selected: false,
              canSelect: false,
              mark: undefined,
              changes: undefined,
            }}
            {...{ actions: [], isNarrow: true, onToggle: () => undefined, onAction: () => undefined, openingAction: undefined }}
            {...props}
          />
        </tbody>
      </table>
    </MemoryRouter>,
  );
}

const fields: ColumnEntry[] = [
  { key: 'name', primary: true },
  { key: 'firmware' },
  { key: 'serial' },
  { key: 'operator' },
  { key: 'description' },
];

test('on a narrow screen the first two columns are next to the name', () => {
  renderRow(fields);
  expect(screen.getByRole('row').textContent).toBe('Quay07.141106');
});

test('on a narrow screen the columns that the list names are next to the name instead', () => {
  renderRow(fields.map((column) => (['serial', 'operator', 'description'].includes(column.key) ? { ...column, narrow: true } : column)));
  expect(screen.getByRole('row').textContent).toBe('Quay1106TeliaOn the pier');
});

test('a list with nothing to do with its records keeps no room for a menu', () => {
  renderRow(fields, { isNarrow: false });
  expect(screen.getAllByRole('cell')).toHaveLength(4);
});
