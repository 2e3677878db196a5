import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { textOf } from '../helpers/forms.ts';
import { makeWorld } from '../helpers/world.ts';
import { importForm } from '../../schemas/kit/form/import-form.ts';

test('a field of an added form has its own name as label, not what the console calls a field of that name', async () => {
  await using world = await makeWorld();
  const admin = await as(world, 'super_admin');
  const schema = { type: 'object', properties: { link: { type: 'string' }, starts_on: { type: 'string' } } } as const;
  const { data } = await admin.post('/forms/check', { text: textOf(importForm('ops/shift', { schema })) });
  expect(data.findings).toEqual([]);
  expect(data.form.ui).toMatchObject({ link: { 'ui:label': { en: 'Link' } }, starts_on: { 'ui:label': { en: 'Starts on' } } });
});
