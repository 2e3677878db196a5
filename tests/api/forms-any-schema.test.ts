import { expect, test } from 'vitest';
import { importForm, type ImportedSchema } from '../../schemas/kit/form/import-form.ts';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import { as } from '../helpers/as.ts';
import { textOf } from '../helpers/forms.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { makeWorld } from '../helpers/world.ts';

/** A server with a form made of this schema, the program that it goes to, and what both kept. */
async function worldWithSchema(imported: ImportedSchema) {
  const receiver = await startReceiver([]);
  const webhooks = new Map([['elsewhere', { url: receiver.url, secret: 'a secret of twenty characters', allowPrivate: true }]]);
  const world = await makeWorld({ config: { webhooks } });
  const admin = await as(world, 'super_admin');
  const saved = await admin.put('/forms/ops/any', { text: textOf(importForm('ops/any', imported)) });
  expect(saved.errors).toEqual([]);
  return {
    admin,
    receiver,
    kept: async () => JSON.stringify(await world.ctx.db.selectFrom('audit').selectAll().execute()),
    run: (body: unknown) => admin.post('/forms/ops/any/run', JSON.stringify(body), { 'content-type': 'application/json' }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const account: JsonSchema = { type: 'object', properties: { user: { type: 'string' }, key: { type: 'string' } } };

test.each<[string, ImportedSchema, object]>([
  [
    'by the widget of its field in uiSchema',
    { schema: account, uiSchema: { key: { 'ui:widget': 'PasswordWidget' } } },
    { user: 'kari', key: 'hunter2' },
  ],
  [
    'by its format, inside a list that a reference leads to',
    {
      schema: {
        definitions: { account: { properties: { key: { type: 'string', format: 'password' } } } },
        properties: { all: { type: 'array', items: { $ref: '#/definitions/account' } } },
      },
    },
    { all: [{ key: 'hunter2' }] },
  ],
  [
    'in a choice, where it is no field',
    {
      schema: { oneOf: [{ required: ['a.key'], properties: { user: { type: 'string' } } }, { type: 'null' }] },
      uiSchema: { key: { 'ui:widget': 'password' } },
    },
    { user: 'kari', 'a.key': 'hunter2' },
  ],
])('a password is masked in the history, and handed on: %s', async (_, imported, body) => {
  await using world = await worldWithSchema({ ...imported, data: body as never });
  expect((await world.run(body)).status).toBe(200);
  expect(JSON.parse(world.receiver.taken[0]?.body ?? '')).toMatchObject({ data: body });
  const kept = await world.kept();
  expect(kept).toContain('***');
  expect(kept).not.toContain('hunter2');
});

test('hostile data is refused, and breaks nothing: members that are called, depth, size, and a recursive type that never ends', async () => {
  const node: JsonSchema = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/definitions/node' } } };
  const schema: JsonSchema = {
    definitions: { node },
    type: 'object',
    properties: { place: { enum: [{ lat: 60 }] }, tree: { $ref: '#/definitions/node' }, list: { type: 'array', uniqueItems: true } },
  };
  await using world = await worldWithSchema({ schema, data: {} });
  const deep = Array.from({ length: 60 }).reduce<object>((next) => ({ name: 'x', next }), {});
  const hostile: unknown[] = [
    { place: { valueOf: 1 } },
    { place: { toString: { toString: 1 } } },
    { tree: deep },
    { list: Array.from({ length: 5000 }, (_, index) => ({ index })) },
    { tree: { name: 'x'.repeat(200_000) } },
    7,
    [],
    'x',
  ];
  for (const body of hostile)
    expect([JSON.stringify(body).slice(0, 40), (await world.run(body)).status]).toEqual([expect.any(String), 400]);
  expect((await world.run({ tree: { name: 'a', next: { name: 'b' } } })).status).toBe(200);
  expect(world.receiver.taken).toHaveLength(1);
});

test('a form that is no object is tried without anything happening', async () => {
  await using world = await worldWithSchema({ schema: { type: 'array', items: { type: 'integer' } }, data: [1] });
  const text = textOf(importForm('ops/any', { schema: { type: 'array', items: { type: 'integer' } }, data: [1] }));
  const { data } = await world.admin.post('/forms/check', { id: 'ops/any', text });
  const tried = await world.admin.post('/forms/check/dry-run', { hash: data.hash, data: [1, 2] });
  expect(tried.data).toMatchObject({ request: { body: { data: [1, 2] } } });
  expect((await world.admin.post('/forms/check/dry-run', { hash: data.hash, data: ['x'] })).status).toBe(400);
  expect(world.receiver.taken).toEqual([]);
});
