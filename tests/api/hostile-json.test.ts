import { expect, test } from 'vitest';
import { itemOf } from '../../schemas/kit/form/schema-parts.ts';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import { as, send } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { bodyFor } from '../helpers/route-bodies.ts';
import { anyPath } from '../helpers/route-samples.ts';
import { makeWorld } from '../helpers/world.ts';

interface NumberPlace {
  path: string[];
  /** Its digits may also come as text. */
  isText: boolean;
  /** Fractions are fine there, also tiny ones. */
  isFraction: boolean;
}

/** The numbers in what a schema describes, and in the first item of its lists. */
function numbersIn(schema: JsonSchema | undefined, value: unknown, path: readonly string[] = []): NumberPlace[] {
  const types = new Set([schema?.type ?? []].flat());
  if (types.has('integer') || types.has('number'))
    return [{ path: [...path], isText: types.has('string'), isFraction: types.has('number') }];
  if (schema?.items && Array.isArray(value)) return numbersIn(itemOf(schema), value[0], [...path, '0']);
  const own = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => numbersIn(member, own[name], [...path, name]));
}

/** The body as text, with something that only JSON text can say in one place. */
function textWith(body: unknown, [step = '', ...rest]: string[], text: string): string {
  const mark = '@mark@';
  const put = (value: unknown, name: string, more: string[]): unknown => {
    const copy = structuredClone((value ?? {}) as Record<string, unknown>);
    const [next, ...others] = more;
    copy[name] = next === undefined ? mark : put(copy[name], next, others);
    return copy;
  };
  return JSON.stringify(put(body, step, rest)).replace(`"${mark}"`, text);
}

test('a number beyond all bounds is refused in every field of every call, never an error of the database [IN4]', async () => {
  await using world = await makeWorld();
  const caller = await as(world, 'super_admin');
  let checked = 0;
  for (const info of world.app.routes.filter((route) => route.body)) {
    const name = `${info.method} ${info.path}`;
    const body = bodyFor(info);
    for (const { path, isText, isFraction } of numbersIn(info.body as JsonSchema, body)) {
      const others = isText ? ['true', '[7]'] : ['"7"', 'true', '[7]'];
      for (const text of [
        '1e309',
        '-1e309',
        '99999999999999999999999',
        '9007199254740993',
        '1e21',
        ...(isFraction ? [] : ['1.5e-9']),
        ...others,
      ]) {
        const answer = await send(world, info.method as 'POST', anyPath(info).replace(/^\/api/, ''), {
          body: textWith(body, path, text),
          headers: caller.headers,
        });
        expect([name, path.join('.'), text, answer.status]).toEqual([name, path.join('.'), text, 400]);
        checked += 1;
      }
    }
  }
  expect(checked).toBeGreaterThan(200);
});

test('of a repeated member the value that is validated is the value that is used [IN4]', async () => {
  await using world = await makeWorld();
  const { middle, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: middle });
  expect((await admin.post('/tags', `{"name":"ferry","company_id":${middle.id},"company_id":${foreign.id}}`)).status).toBe(404);
  const { status, data } = await admin.post('/tags', `{"name":"'","company_id":${foreign.id},"company_id":${middle.id},"name":"quay"}`);
  expect(status).toBe(201);
  expect((await admin.get(`/tags/${data.id}`)).data).toMatchObject({ name: 'quay', company_id: middle.id });
  expect(await world.ctx.db.selectFrom('tags').select('name').execute()).toEqual([{ name: 'quay' }]);
});

test('one text of ten megabytes is refused, also where its length is a lie [IN4]', async () => {
  await using world = await makeWorld({ listen: true });
  const caller = await as(world, 'admin');
  const body = JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024), company_id: caller.user.company_id });
  expect((await caller.post('/tags', body)).status).toBe(413);
  const short = await caller.post('/tags', '{"name":"short"', { 'content-length': '5' });
  expect(short.status).toBe(400);
  expect(await world.ctx.db.selectFrom('tags').select('id').execute()).toEqual([]);
});

test('bytes that are no UTF-8 and half characters are refused, whole ones are kept as they were sent [IN4]', async () => {
  await using world = await makeWorld();
  const caller = await as(world, 'admin');
  const tag = (name: string): string => `{"name":"${name}","company_id":${caller.user.company_id}}`;
  const refused = [
    Buffer.from(tag('ferry\xff\xfe'), 'latin1'),
    Buffer.from(tag('ferry\xed\xa0\x80'), 'latin1'),
    tag(String.raw`ferry\ud83d`),
    tag(String.raw`ferry\uDE00 quay`),
    tag(String.raw`ferry\\\ud83d`),
    tag(String.raw`ferry\ude00\ud83d`),
  ];
  for (const body of refused) expect([String(body), (await caller.post('/tags', body)).codes]).toEqual([String(body), ['INVALID_JSON']]);
  for (const [body, name] of [
    [tag(String.raw`ferry \ud83d\ude00`), 'ferry 😀'],
    [tag('quay 😀 ø'), 'quay 😀 ø'],
  ] as const)
    expect((await caller.post('/tags', body)).data).toMatchObject({ name });
  // Six letters after a backslash are none: the name is refused for the backslash.
  expect((await caller.post('/tags', tag(String.raw`pier \\ud83d`))).codes).toEqual(['INVALID_FIELD']);
});
