import { expect, test } from 'vitest';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import type { RouteInfo } from '../../server/kernel/route.ts';
import { as, send, type Answer } from '../helpers/as.ts';
import { createAnswerChecker, type AnsweredCall } from '../helpers/described-answer.ts';
import { worldWithForm } from '../helpers/forms.ts';
import { collectionOf, idMembers, nameOf, valueAt, WITH_FILE, withValue } from '../helpers/ids-in-bodies.ts';
import { sendParts } from '../helpers/multipart.ts';
import { bodyFor } from '../helpers/route-bodies.ts';
import { makeRecords, pathWithId } from '../helpers/route-samples.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';
import type { World } from '../helpers/world.ts';

/** Calls that wait for a device that is not there, and those after which the caller may call no more. */
const NOT_CALLED = new Set([
  'POST /api/remote/entries/:id/check',
  'POST /api/devices/connect/status',
  'POST /api/account/logout',
  'PUT /api/account/password',
  'PUT /api/companies/:id/second-factor',
  'DELETE /api/account/sessions',
]);

const METHODS = ['POST', 'PUT', 'DELETE'];
/** Additions first, then changes, then removals: of what is inside of something before that. */
function inOrder(routes: readonly RouteInfo[]): RouteInfo[] {
  const of = (method: string) => routes.filter((route) => route.method === method && route.mediaType === undefined);
  return METHODS.flatMap((method) => (method === 'DELETE' ? of(method).toSorted((a, b) => b.path.length - a.path.length) : of(method)));
}

/** The sample body of a route about sample records, with a name that nothing has. */
function bodyAbout(route: RouteInfo, records: Record<string, number>): unknown {
  const sample = bodyFor(route);
  const named =
    sample && typeof sample['name'] === 'string' ? { ...sample, name: `${sample['name']}_${route.method.toLowerCase()}` } : sample;
  const members = route.body ? idMembers(route.body as JsonSchema) : [];
  return members
    .filter(({ path }) => valueAt(sample, path) !== undefined)
    .reduce<unknown>((body, { path, isList }) => {
      const id = records[collectionOf(route, path) ?? ''];
      return id === undefined ? body : withValue(body, path.split('.'), isList ? [id] : id);
    }, named);
}

function call(world: World, route: RouteInfo, { path, headers, body }: { path: string; headers: Record<string, string>; body: unknown }) {
  const file = WITH_FILE.get(nameOf(route));
  if (!file) return send(world, route.method as 'POST', path, { headers, ...(body === undefined ? {} : { body }) });
  const fields = Object.entries(body ?? {}).filter(([name]) => name !== file.name);
  const parts = fields.flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((one) => ({ name, text: typeof one === 'object' ? JSON.stringify(one) : String(one) })),
  );
  return sendParts(world, { headers } as Parameters<typeof sendParts>[1], path, [...parts, file]);
}

/** The calls that add, change or remove something and succeed with the sample records. */
async function makeChanges(world: World, company: { id: number; path: string }, headersOf: (route: RouteInfo) => Record<string, string>) {
  const records: Record<string, number> = { ...(await makeRecords(world, company)) };
  const answers: AnsweredCall[] = [];
  for (const route of inOrder(world.app.routes).filter((one) => !NOT_CALLED.has(nameOf(one)))) {
    const path = pathWithId(route, records) ?? route.path;
    const below = path.startsWith('/api') ? path.slice('/api'.length) : `/${path}`;
    const answer: Answer = await call(world, route, { path: below, headers: headersOf(route), body: bodyAbout(route, records) });
    if (answer.status < 300)
      answers.push({ method: route.method, path: route.path.replace(/:(\w+)/g, '{$1}'), status: answer.status, text: answer.text });
  }
  return answers;
}

test('members of what additions, changes and removals answer are what the description says, and it names them all [CJ1]', async () => {
  const { world, company, admin } = await worldWithForm();
  await using _end = world;
  const { secret } = await makeAccessToken(world, { user: admin.user, scopes: ['super_admin', ...permissionNames] });
  const { text } = await (await as(world, 'super_admin')).get('/docs/json');
  const answers = await makeChanges(world, company, ({ tokens }) =>
    tokens === 'none' ? admin.headers : { authorization: `Bearer ${secret}` },
  );
  const check = createAnswerChecker(JSON.parse(text));
  expect(answers.flatMap(check)).toEqual([]);
  expect(answers.length).toBeGreaterThan(230);
  for (const method of METHODS) expect(answers.filter((answer) => answer.method === method).length).toBeGreaterThan(30);
});
