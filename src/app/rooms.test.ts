import { expect, test } from 'vitest';
import { findRegistrationProblems } from '../engine/resources/check.ts';
import { registerRooms } from './rooms.ts';

test('every cell, strip, code action and icon that the resource list names is there', async () => {
  registerRooms();
  expect(await findRegistrationProblems()).toEqual([]);
});

test('a name that nobody registered is told with what was meant', async () => {
  const entry = {
    name: 'gadgets',
    entity: 'device',
    titleField: 'name',
    routes: {},
    permission: { list: 'view_devices' },
    table: {
      defaultSort: { key: 'name', order: 'asc' as const },
      columns: [{ key: 'name', cell: 'relativ-time', primary: true }],
      filters: [],
    },
  };
  expect(await findRegistrationProblems([entry])).toEqual([
    'gadgets.table.columns[0].cell: no cell named "relativ-time". Did you mean "relative-time"?',
  ]);
});
