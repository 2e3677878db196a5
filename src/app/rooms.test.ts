import { expect, test } from 'vitest';
import { resources as entries } from '../../resources.config.ts';
import texts from '../locales/en/jobs.json' with { type: 'json' };
import type { Resources } from '../engine/resources/resource.ts';
import { findRegistrationProblems } from '../engine/resources/check.ts';
import { registerRooms, roomPages } from './rooms.ts';

test('every cell, strip, code action and icon that the resource list names is there', async () => {
  registerRooms();
  expect(await findRegistrationProblems()).toEqual([]);
});

test('no two entries of a menu group have the same place in it', () => {
  const places = [...(entries as Resources), ...roomPages()].flatMap(({ menu }) => (menu ? [`${menu.group} ${menu.order}`] : []));
  expect(places.length).toBeGreaterThan(30);
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
});

test('the button that starts a job has words for every kind of job that an action starts', () => {
  const resources: Resources = entries;
  const kinds = resources.flatMap(({ actions = [] }) => actions.flatMap((action) => (action.kind === 'job' ? [action.job] : [])));
  expect(kinds.length).toBeGreaterThan(10);
  expect([...new Set(kinds)].filter((kind) => !Object.hasOwn(texts, `jobs.start.${kind}_other`))).toEqual([]);
});

test('an unregistered name is reported with the nearest registered one', async () => {
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
