import { expect, test } from 'vitest';
import type { Resource } from '../resources/resource.ts';
import { startTestServer } from '../../kernel/http/test-server.ts';
import { filterQuery } from './list-call.ts';
import { makeDataProvider } from './data-provider.ts';

const tokens: Resource = {
  name: 'access-tokens',
  path: 'account/access-tokens',
  entity: 'access_token',
  titleField: 'name',
  routes: {},
  permission: { list: 'view_access_tokens' },
};
const provider = makeDataProvider([tokens]);

test('a list asks for one page in our words and reads the total', async () => {
  await using world = await startTestServer(() => ({ body: { success: true, data: [{ id: 1 }], meta: { total: 134 } } }));
  const answer = await provider.getList({
    resource: 'devices',
    pagination: { currentPage: 3, pageSize: 50 },
    sorters: [
      { field: 'status', order: 'desc' },
      { field: 'name', order: 'asc' },
    ],
    filters: [
      { field: 'q', operator: 'eq', value: 'ferry' },
      { field: 'status', operator: 'in', value: ['online', 'offline'] },
      { field: 'tag_id', operator: 'ne', value: [3] },
    ],
    meta: { query: { fields: ['id', 'name'] } },
  });
  expect(answer).toMatchObject({ data: [{ id: 1 }], total: 134 });
  expect(`${world.seen[0]?.path}${decodeURIComponent(world.seen[0]?.search ?? '')}`).toBe(
    '/api/devices?limit=50&offset=100&sort=-status,name&q=ferry&status=online,offline&ne:tag_id=3&fields=id,name',
  );
});

test('records are read and written at the collection of their resource', async () => {
  await using world = await startTestServer(() => ({ body: { success: true, data: { id: 4 } } }));
  await provider.getOne({ resource: 'access-tokens', id: 4 });
  await provider.create({ resource: 'access-tokens', variables: { name: 'x' } });
  await provider.update({ resource: 'tags', id: 5, variables: { name: 'y' } });
  await provider.deleteOne({ resource: 'tags', id: '../users/1' });
  expect(world.seen.map(({ method, path, body }) => `${method} ${path} ${body}`.trim())).toEqual([
    'GET /api/account/access-tokens/4',
    'POST /api/account/access-tokens {"name":"x"}',
    'PUT /api/tags/5 {"name":"y"}',
    'DELETE /api/tags/..%2Fusers%2F1',
  ]);
});

test('an operator that the API does not have is a mistake of the caller', () => {
  expect(() => filterQuery([{ field: 'name', operator: 'contains', value: 'x' }])).toThrow('"contains" is not in the API');
});
