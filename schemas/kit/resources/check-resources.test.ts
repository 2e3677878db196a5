import { describe, expect, test } from 'vitest';
import { checkResources } from './check-resources.ts';
import type { ResourceLike, ResourceRegistries } from './check-resources.ts';

const devices: ResourceLike = {
  name: 'devices',
  entity: 'device',
  titleField: 'name',
  routes: { list: '/management/devices' },
  permission: { list: 'view_devices' },
  menu: { group: 'management', order: 10, icon: 'router' },
  search: { order: 10, fields: ['name'] },
  help: 'devices',
  table: {
    defaultSort: { key: 'name', order: 'asc' },
    strip: 'device-statistics',
    columns: [
      { key: 'name', primary: true },
      { key: 'tags', cell: 'tag-list', permission: 'view_devices' },
    ],
    filters: [{ key: 'tags', kind: 'lookup', lookup: 'tags' }],
  },
  actions: [
    { id: 'devices.add', kind: 'form', form: 'devices/add', on: ['header'], icon: 'plus', primary: true },
    { id: 'devices.reboot', kind: 'job', job: 'reboot', risk: 'disruptive', on: ['row'], when: { field: 'name', in: ['x'] } },
    { id: 'devices.open', kind: 'code', run: 'devices.open', on: ['row'] },
  ],
  live: { channel: 'companies.{company_id}.devices', events: { DeviceChanged: 'patch-row' } },
};
const registries: ResourceRegistries = {
  cells: ['tag-list'],
  codes: ['devices.open'],
  strips: ['device-statistics'],
  icons: ['router', 'plus'],
  jobs: ['reboot'],
  forms: ['devices/add'],
  permissions: ['view_devices'],
  lookups: ['tags'],
  help: ['devices'],
  events: ['DeviceChanged'],
  entities: {
    device: {
      $schema: '',
      id: 'device',
      title: 'x',
      schema: { type: 'object', properties: { name: { type: 'string' }, tags: { type: 'array' } } },
    },
  },
};
const table = devices.table;
if (!table) throw new Error('The example has a table.');
const withColumns = (...columns: typeof table.columns): ResourceLike => ({ ...devices, table: { ...table, columns } });
const withAction = (action: NonNullable<ResourceLike['actions']>[number]): ResourceLike => ({ ...devices, actions: [action] });

describe('the check of the resource list', () => {
  test('finds nothing in a right one', () => expect(checkResources([devices], registries)).toEqual([]));

  test.each<[string, ResourceLike, string]>([
    [
      'cell',
      withColumns({ key: 'name', primary: true }, { key: 'tags', cell: 'tag-lst' }),
      'devices.table.columns[1].cell: no cell named "tag-lst". Did you mean "tag-list"?',
    ],
    [
      'field of a column',
      withColumns({ key: 'nmae', primary: true }),
      'devices.table.columns[0].key: no field named "nmae". Did you mean "name"?',
    ],
    [
      'permission of a column',
      withColumns({ key: 'name', primary: true, permission: 'view_users' }),
      'devices.table.columns[0].permission: no permission named "view_users".',
    ],
    [
      'column twice',
      withColumns({ key: 'name', primary: true }, { key: 'name' }),
      'devices.table.columns[1].key: the column "name" is taken already, by devices.table.columns[0].key.',
    ],
    ['row name', withColumns({ key: 'name' }), 'devices.table.columns: exactly one column must be primary: it names the row.'],
    [
      'sort',
      { ...devices, table: { ...table, defaultSort: { key: 'nam', order: 'asc' } } },
      'devices.table.defaultSort.key: no field named "nam". Did you mean "name"?',
    ],
    ['strip', { ...devices, table: { ...table, strip: 'devices' } }, 'devices.table.strip: no strip named "devices".'],
    [
      'lookup',
      { ...devices, table: { ...table, filters: [{ key: 'x', kind: 'lookup', lookup: 'tag' as 'tags' }] } },
      'devices.table.filters[0].lookup: no lookup named "tag". Did you mean "tags"?',
    ],
    [
      'empty choice',
      { ...devices, table: { ...table, filters: [{ key: 'x', kind: 'enum', values: [] }] } },
      'devices.table.filters[0].values: there is nothing to choose from.',
    ],
    [
      'form',
      withAction({ id: 'devices.add', kind: 'form', form: 'devices/ad' as 'devices/add', on: ['row'] }),
      'devices.actions[0].form: no form named "devices/ad". Did you mean "devices/add"?',
    ],
    [
      'job',
      withAction({ id: 'devices.reboot', kind: 'job', job: 'rebot', risk: 'low', on: ['row'] }),
      'devices.actions[0].job: no job named "rebot". Did you mean "reboot"?',
    ],
    [
      'code',
      withAction({ id: 'devices.open', kind: 'code', run: 'device.open', on: ['row'] }),
      'devices.actions[0].run: no code named "device.open". Did you mean "devices.open"?',
    ],
    [
      'icon',
      withAction({ id: 'devices.open', kind: 'code', run: 'devices.open', on: ['row'], icon: 'pluss' }),
      'devices.actions[0].icon: no icon named "pluss". Did you mean "plus"?',
    ],
    [
      'condition',
      withAction({ id: 'devices.open', kind: 'code', run: 'devices.open', on: ['row'], when: { field: 'tag', in: [1] } }),
      'devices.actions[0].when.field: no field named "tag". Did you mean "tags"?',
    ],
    [
      'place',
      withAction({ id: 'devices.open', kind: 'code', run: 'devices.open', on: [] }),
      'devices.actions[0].on: the action is offered nowhere.',
    ],
    [
      'action id',
      withAction({ id: 'open', kind: 'code', run: 'devices.open', on: ['row'] }),
      'devices.actions[0].id: "open" is not of the form <resource>.<verb>.',
    ],
    ['entity', { ...devices, entity: 'devise' }, 'devices.entity: no entity named "devise". Did you mean "device"?'],
    ['title', { ...devices, titleField: 'title' }, 'devices.titleField: no field named "title".'],
    ['search', { ...devices, search: { order: 1, fields: ['mac'] } }, 'devices.search.fields[0]: no field named "mac".'],
    [
      'event',
      { ...devices, live: { channel: 'x', events: { DeviceChange: 'reload' } } },
      'devices.live.events: no event named "DeviceChange". Did you mean "DeviceChanged"?',
    ],
    ['route', { ...devices, routes: { list: 'devices' } }, 'devices.routes.list: "devices" must begin with a slash.'],
    ['menu without a page', { ...devices, routes: {} }, 'devices.menu: a menu item needs routes.list to lead to.'],
  ])('names a wrong %s', (_, entry, problem) => expect(checkResources([entry], registries)).toEqual([problem]));

  test('names what two entries claim', () => {
    expect(checkResources([devices, { ...devices, name: 'gadgets', actions: [] }], registries)).toEqual([
      'gadgets.routes.list: the route "/management/devices" is taken already, by devices.routes.list.',
    ]);
  });

  test('leaves alone what it was given no list for', () => {
    expect(checkResources([withColumns({ key: 'anything', cell: 'whatever', primary: true })])).toEqual([]);
  });
});
