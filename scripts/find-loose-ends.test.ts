import { expect, test } from 'vitest';
import { makeForm } from '../schemas/kit/form/test-form.ts';
import { findLooseEnds } from './find-loose-ends.ts';

const form = makeForm({ id: 'tags/edit', schema: { type: 'object' } });
const resource = { name: 'tags', entity: 'tag', actions: [{ id: 'tags.blink', on: ['row' as const], job: 'blink' }] };

test('a form without a route, an action without texts and a job that nobody does are named in seconds', () => {
  const server = "function editTag(input: FormData['tags/edit']) {}";
  expect(findLooseEnds({ forms: [form], resources: [resource], texts: new Set(['resources.tags.title']), server })).toEqual([
    "schemas/forms/tags/edit.form.json: no formRoute(app, 'tags/edit', …) in server/",
    'resources/ "tags": no English text for the key "actions.tags.blink"',
    'resources/ "tags": no English text for the key "jobs.start.blink"',
    'resources/ "tags": no English text for the key "history.actions.devices.blink"',
    'resources/ "tags": the action "tags.blink" starts a job "blink", which nothing in server/ does',
  ]);
  const texts = new Set(['resources.tags.title', 'actions.tags.blink', 'jobs.start.blink_other', 'history.actions.devices.blink']);
  expect(findLooseEnds({ forms: [form], resources: [resource], texts, server: "formRoute(app, 'tags/edit', …); kind: 'blink'" })).toEqual(
    [],
  );
});
