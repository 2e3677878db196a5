import { describe, expect, test } from 'vitest';
import type { ActionEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { selectAllMatching, selectRows } from '../table/selection.ts';
import { actionEntries } from './action-entries.ts';
import { actionsAt, judgeAction, openingAction } from './applicability.ts';

const reboot: ActionEntry = {
  id: 'devices.reboot',
  kind: 'job',
  job: 'reboot',
  risk: 'disruptive',
  on: ['row', 'bulk'],
  permission: 'execute_device_actions',
  when: { field: 'status', in: [1] },
};
const open: ActionEntry = { id: 'devices.open', kind: 'code', run: 'devices.open', on: ['row'] };
const remove: ActionEntry = { ...open, id: 'devices.remove', danger: true };
const resource: Resource = {
  name: 'devices',
  entity: 'device',
  titleField: 'name',
  routes: { list: '/devices' },
  permission: { list: 'view_devices' },
  actions: [remove, reboot, open],
};
const rows: Row[] = [
  { id: 1, status: 1 },
  { id: 2, status: 0 },
  { id: 3, status: null },
];

describe('an action and what is chosen [T6]', () => {
  test('counts the chosen rows that it applies to', () => {
    expect(judgeAction(reboot, selectRows(rows))).toEqual({ count: 1, total: 3, isEnabled: true });
  });
  test('is disabled when it applies to none', () => {
    expect(judgeAction(reboot, selectRows(rows.slice(1)))).toEqual({ count: 0, total: 2, isEnabled: false });
  });
  test('that needs a feature applies to devices whose model and firmware have it', () => {
    const alert: ActionEntry = { ...open, feature: 'legacy_alerts' };
    const devices: Row[] = [
      { id: 1, model: 'RUT956', firmware: 'RUT9M_R_00.07.06.3' },
      { id: 2, model: 'RUT956', firmware: 'RUT9M_R_00.07.14' },
    ];
    expect(judgeAction(alert, selectRows(devices))).toEqual({ count: 1, total: 2, isEnabled: true });
    expect(judgeAction(alert, selectRows(devices.slice(1))).isEnabled).toBe(false);
  });
  test('that leads to another record is left out where there is none', () => {
    const link: ActionEntry = { id: 'devices.site', kind: 'link', to: '/sites/{site_id}', on: ['row'] };
    const entriesOf = (row: Row) => actionEntries(resource, row, [link, open], () => undefined).map(({ id, to }) => [id, to]);
    expect(entriesOf({ id: 1, site_id: 7 })).toEqual([
      ['devices.site', '/sites/7'],
      ['devices.open', undefined],
    ]);
    expect(entriesOf({ id: 2, site_id: null })).toEqual([['devices.open', undefined]]);
  });
  test('a rule for "no value" applies to null', () => {
    const activate: ActionEntry = { ...reboot, when: { field: 'status', in: [null] } };
    expect(judgeAction(activate, selectRows(rows)).count).toBe(1);
  });
  test('"all that match" is left to the server to count', () => {
    expect(judgeAction(reboot, selectAllMatching({}, 300))).toEqual({ count: undefined, total: 300, isEnabled: true });
  });
});

test('an action is offered only where it belongs and only to those who may use it', () => {
  const none = (permission: string | undefined) => permission === undefined;
  expect(actionsAt(resource, 'row', none).map((action) => action.id)).toEqual(['devices.remove', 'devices.open']);
  expect(actionsAt(resource, 'bulk', () => true).map((action) => action.id)).toEqual(['devices.reboot']);
});

test('a row without a page opens with its first harmless action', () => {
  expect(openingAction(resource, () => true)?.id).toBe('devices.open');
  expect(openingAction({ ...resource, routes: { show: '/devices/:id' } }, () => true)).toBeUndefined();
});
