import { expect, test } from 'vitest';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import { describeAnswer } from '../../server/kernel/openapi/described-answers.ts';
import { as } from '../helpers/as.ts';
import type { ApiDescription } from '../helpers/described-answer.ts';
import { makeWorld } from '../helpers/world.ts';

/** Values that a description leaves open, each with its reason. The list only gets shorter: one that is described has to leave it. */
const OPEN_VALUES: Record<string, string> = {
  '/api/docs/json info': 'OpenAPI has its own schema',
  '/api/docs/json servers[]': 'OpenAPI has its own schema',
  '/api/docs/json security[]': 'OpenAPI has its own schema',
  '/api/docs/json paths{}': 'OpenAPI has its own schema',
  '/api/docs/json components': 'OpenAPI has its own schema',
  '/schemas/form-v1.json ': 'a JSON Schema',
  '/api/user data.default_views{}': 'what the console keeps of a view is the console’s',
  '/api/user default_views{}': 'what the console keeps of a view is the console’s',
  '/api/storage data[].value': 'any JSON that a program stored',
  '/api/storage data.value': 'any JSON that a program stored',
  '/api/storage/{key} data.value': 'any JSON that a program stored',
  '/api/devices/configurator/templates/{id}/revisions data[].template[].request_data.data{}':
    'options of a device, as its API document has them',
  '/api/devices/{id}/timeline data.entries[].job.input{}': 'what a job was started with, as its kind has it',
  '/api/devices/{id}/custom-data data[].data{}{}': 'what a device answered to a monitoring template',
  '/api/automations/{id}/versions data[].conditions_body[].actions[].options.form_data{}': 'fields of an added form',
  '/api/forms/check data.documentation.request.body': 'fields of an added form',
  '/api/forms/check/dry-run data.request.body': 'fields of an added form',
  '/api/forms/{room}/{name}/run data.request.body': 'fields of an added form',
};
/** Device jobs that ship as form files answer as added forms do. */
const isAddedForm = (path: string): boolean => /^\/api\/forms\/devices\/[\w-]+\/run$/.test(path);

const isSchema = (part: unknown): part is JsonSchema => typeof part === 'object' && part !== null && !Array.isArray(part);

function requireTarget($ref: string, schemas: Record<string, JsonSchema>): JsonSchema {
  const [name = '', ...members] = $ref.replace('#/components/schemas/', '').split('/properties/');
  const target = members.reduce<unknown>((part, member) => (isSchema(part) ? part.properties?.[member] : undefined), schemas[name]);
  if (!isSchema(target)) throw new Error(`${$ref} leads nowhere`);
  return target;
}

/** The paths of the values that a schema says nothing of: not their type, nor the members or items that they have. */
function findOpenValues(schema: JsonSchema, schemas: Record<string, JsonSchema>, path: string, seen: readonly string[] = []): string[] {
  const { $ref, properties = {}, items, additionalProperties, allOf = [], anyOf = [], oneOf = [], type } = schema;
  const find = (inner: unknown, below: string, refs = seen): string[] =>
    isSchema(inner) ? findOpenValues(inner, schemas, below, refs) : [];
  if ($ref !== undefined) return seen.includes($ref) ? [] : find(requireTarget($ref, schemas), path, [...seen, $ref]);
  const branches = [...allOf, ...anyOf, ...oneOf];
  const isSaid = type !== undefined || schema.enum !== undefined || schema.const !== undefined || branches.length > 0;
  const isBareObject = type === 'object' && !schema.properties && additionalProperties === undefined && branches.length === 0;
  if (!isSaid || isBareObject || (type === 'array' && items === undefined)) return [path];
  return [
    ...Object.entries(properties).flatMap(([name, member]) => find(member, path.endsWith(' ') ? `${path}${name}` : `${path}.${name}`)),
    ...find(items, `${path}[]`),
    ...find(additionalProperties, `${path}{}`),
    ...branches.flatMap((branch) => find(branch, path)),
  ];
}

/** The schemas of what an answer has beyond the envelope of all. */
function ownParts(schema: JsonSchema): JsonSchema[] {
  const [envelope, ...parts] = (schema.allOf ?? []).filter(isSchema);
  return envelope?.$ref?.endsWith('Envelope') ? parts : schema.$ref?.endsWith('Envelope') ? [] : [schema];
}

test('every route of the server says what it answers: run `npm run gen:answers` when this fails [CJ1]', async () => {
  await using world = await makeWorld();
  const isSaid = (route: (typeof world.app.routes)[number]): boolean =>
    route.answer !== undefined || (route.mediaType ?? 'application/json') !== 'application/json' || describeAnswer(route) !== undefined;
  expect(world.app.routes.filter((route) => !isSaid(route)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('the description names every member of every answer, but for those that may be anything [CJ1]', async () => {
  await using world = await makeWorld();
  const { text } = await (await as(world, 'super_admin')).get('/docs/json');
  const { paths, components }: ApiDescription = JSON.parse(text);
  const open = new Set<string>();
  let described = 0;
  for (const [path, operations] of Object.entries(paths))
    for (const { responses } of Object.values(operations))
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = content?.['application/json']?.schema;
        if (!schema || !status.startsWith('2') || isAddedForm(path)) continue;
        described += 1;
        for (const part of ownParts(schema)) for (const value of findOpenValues(part, components.schemas, `${path} `)) open.add(value);
      }
  expect(described).toBeGreaterThan(600);
  expect([...open].toSorted()).toEqual(Object.keys(OPEN_VALUES).toSorted());
});
