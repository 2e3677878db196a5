import { render, screen } from '@testing-library/react';
import { createElement } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, test } from 'vitest';
import { startI18n } from '../../kernel/i18n/index.ts';
import { findCell } from '../resources/registry.ts';
import type { Row } from '../resources/resource.ts';
import './generic-cells.tsx';
import { gadgets } from './test-kit.tsx';

beforeAll(() => startI18n('en'));

function textOf(name: string, value: unknown, row: Row = { id: 1 }): string {
  const cell = findCell(name);
  if (!cell) throw new Error(`No cell named ${name}`);
  const { container } = render(
    <MemoryRouter>
      {createElement(cell, { value, row, resource: gadgets, column: { key: 'status' }, link: (content) => content })}
    </MemoryRouter>,
  );
  return container.textContent;
}

test.each([
  ['text', 'abc', 'abc'],
  ['code', '00:1E:42', '00:1E:42'],
  ['number', 1204, '1,204'],
  ['decimal', 0.5, '0.50'],
  ['bytes', 45_204_267_991, '42.1 GB'],
  ['duration', 7200, '2 h'],
  ['enum', 1, 'Online'],
  ['state', 1, 'Online'],
  ['boolean', true, 'Yes'],
  ['boolean', false, 'No'],
  ['company', 'Fjordline', 'Fjordline'],
])('the cell %s writes %j as %s', (name, value, text) => expect(textOf(name, value)).toBe(text));

test.each([
  ['text'],
  ['code'],
  ['number'],
  ['decimal'],
  ['bytes'],
  ['duration'],
  ['enum'],
  ['state'],
  ['relative-time'],
  ['date-time'],
  ['boolean'],
  ['company'],
])('the cell %s says that there is no value', (name) => expect(textOf(name, null)).toBe('—'));

test.each([
  ['number', 'x'],
  ['bytes', {}],
  ['date-time', 'soon'],
  ['tag-list', 'x'],
  ['tag-list', [{ id: 1 }]],
])('the cell %s survives a value of the wrong kind (%j)', (name, value) => expect(['—', '']).toContain(textOf(name, value)));

test('more than three tags are counted, and named on hover', () => {
  const tags = ['a', 'b', 'c', 'd', 'e'].map((name, index) => ({ id: index, name, color: '#ff0000' }));
  expect(textOf('tag-list', tags)).toBe('abc+2');
  expect(screen.getByTitle('d, e').textContent).toBe('+2');
});
