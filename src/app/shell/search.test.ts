import { renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Resource } from '../../engine/resources/resource.ts';
import { makeGate, startTestServer } from '../../kernel/http/test-server.ts';
import { countBadge } from '../../ui/index.ts';
import { searchAll } from './search.ts';
import { useSearch } from './use-search.ts';

const make = (name: string, rest: Partial<Resource> = {}): Resource => ({
  name,
  entity: name,
  titleField: 'name',
  routes: { list: `/${name}` },
  permission: { list: `view_${name}` },
  ...rest,
});
const groups = [
  { resource: make('devices', { routes: { list: '/management/devices', show: '/devices/:id' } }), fields: ['name', 'serial', 'mac'] },
  { resource: make('users', { titleField: 'username' }), fields: ['username', 'email'] },
];

test('every kind is asked for ten, with its title and the fields it is found by [S1]', async () => {
  await using world = await startTestServer(({ path }) =>
    path === '/api/devices'
      ? { body: { success: true, data: [{ id: 7, name: 'Ferry', serial: '110', mac: null }], meta: { total: 31 } } }
      : { body: { success: true, data: [{ id: 2, username: 'fay', email: 'fay@x.example' }], meta: { total: 1 } } },
  );
  const results = await searchAll(groups, 'f', new AbortController().signal);
  expect(world.seen.map(({ path, search }) => path + decodeURIComponent(search)).toSorted()).toEqual([
    '/api/devices?limit=10&offset=0&q=f&fields=id,name,serial,mac',
    '/api/users?limit=10&offset=0&q=f&fields=id,username,email',
  ]);
  expect(results.flatMap((result) => result.hits)).toEqual([
    {
      id: 'devices-7',
      title: 'Ferry',
      detail: '110',
      path: '/devices/7',
      recordId: 7,
      row: { id: 7, name: 'Ferry', serial: '110', mac: null },
    },
    {
      id: 'users-2',
      title: 'fay',
      detail: 'fay@x.example',
      path: '/users?q=fay',
      recordId: 2,
      row: { id: 2, username: 'fay', email: 'fay@x.example' },
    },
  ]);
  expect(results.map(({ total }) => countBadge(total))).toEqual(['10+', '1']);
});

test('a kind that fails does not take the others with it', async () => {
  await using _world = await startTestServer(({ path }) =>
    path === '/api/devices' ? { status: 500, body: 'no' } : { body: { success: true, data: [{ id: 2, username: 'fay' }] } },
  );
  const [devices, users] = await searchAll(groups, 'f', new AbortController().signal);
  expect(devices).toMatchObject({ hits: [], error: { status: 500 } });
  expect(users?.hits).toHaveLength(1);
});

test('it waits 500 ms, asks for the last text only, and never shows older results after newer [S2]', async () => {
  const slow = makeGate();
  await using world = await startTestServer(async ({ search }) => {
    if (search.includes('q=old')) await slow.wait;
    return { body: { success: true, data: [{ id: 1, name: search }] } };
  });
  const only = groups.slice(0, 1);
  const { result, rerender } = renderHook(({ text }) => useSearch(only, text, true), { initialProps: { text: 'o' } });
  rerender({ text: 'old' });
  expect(result.current.state).toBe('waiting');
  await waitFor(() => expect(world.seen).toHaveLength(1));
  rerender({ text: ' new ' });
  await waitFor(() => expect(result.current).toMatchObject({ state: 'found', text: 'new' }));
  slow.open();
  expect(world.seen.map(({ search }) => /q=\w+/.exec(search)?.[0])).toEqual(['q=old', 'q=new']);
  rerender({ text: '  ' });
  expect(result.current).toEqual({ state: 'idle' });
});
