import { expect, test } from 'vitest';
import type { AddedFormId } from '../../../schemas/kit/resources/resource-types.ts';
import type { MenuGroup } from '../resources/derive.ts';
import type { AddedForm } from './added-forms.ts';
import { addedActions, menuWith } from './added-form-entries.ts';

function added(parts: Partial<AddedForm>): AddedForm {
  return {
    id: 'ops/set-apn' as AddedFormId,
    title: { en: 'Set APN' },
    hash: 'a',
    version: 1,
    permission: 'view_devices',
    place: {},
    replaces: false,
    danger: false,
    needs_record: false,
    sends: 'job',
    ...parts,
  };
}
const management: MenuGroup = {
  name: 'management',
  label: 'menu.groups.management',
  items: [{ resource: 'devices', path: '/management/devices', icon: 'router', label: 'x' }],
};

test('an added form is at the end of its group of the menu, in a new group where there is none', () => {
  const groups = menuWith([management], [added({ place: { menu: 'management' } }), added({ place: { menu: 'system' }, sends: 'webhook' })]);
  expect(groups.map(({ name, items }) => [name, items.map(({ path }) => path)])).toEqual([
    ['management', ['/management/devices', '/forms/ops/set-apn']],
    ['system', ['/forms/ops/set-apn']],
  ]);
});

test('a form that needs a record has no entry in the menu', () => {
  expect(menuWith([management], [added({ place: { menu: 'management' }, needs_record: true })])).toEqual([management]);
});

test('a device job is offered on rows and selections with its preview, confirmed as strongly as its danger asks for', () => {
  const [job] = addedActions([added({ place: { devices: ['row', 'bulk'] } })], 'devices');
  expect(job).toMatchObject({ kind: 'job', job: 'form', form: 'ops/set-apn', on: ['row', 'page', 'bulk'], risk: 'disruptive' });
  expect(addedActions([added({ danger: true, place: { devices: ['bulk'] } })], 'devices')).toMatchObject([{ risk: 'destructive' }]);
});

test('a form can be on the page of a company, a device job cannot', () => {
  const places = { place: { company: true } };
  expect(addedActions([added({ ...places, sends: 'webhook' }), added(places)], 'companies')).toMatchObject([
    { kind: 'form', on: ['page'] },
  ]);
  expect(addedActions([added(places)], 'tags')).toEqual([]);
});
