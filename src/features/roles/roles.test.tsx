import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import permissionsFile from '../../../schemas/permissions.json' with { type: 'json' };
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { startTestServer } from '../../kernel/http/test-server.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { loadUser } from '../../kernel/session/index.ts';
import { readIds } from './CompareRolesPage.tsx';
import { copyOf } from './copy-role.ts';
import { PermissionMatrix } from './PermissionMatrix.tsx';
import PermissionMatrixField from './PermissionMatrixField.tsx';

beforeAll(() => startI18n('en'));

const all = permissionsFile.permissions.map(({ name, title, description, category }, index) => ({
  id: index + 1,
  name,
  title,
  description,
  category,
}));
const idsOf = (...names: string[]): number[] => all.filter(({ name }) => names.includes(name)).map(({ id }) => id);

/** The matrix in a form of somebody who holds these permissions; `chosen()` answers the names that would be sent. */
async function open(held: readonly string[], start: readonly number[] = []) {
  const world = await startTestServer(({ path, search }) => {
    if (path.endsWith('/user')) return { body: { success: true, data: { id: 1, permissions: held } } };
    const offset = Number(new URLSearchParams(search).get('offset') ?? 0);
    return { body: { success: true, data: all.slice(offset, offset + 100), meta: { total: all.length } } };
  });
  await loadUser();
  const sent = vi.fn<(value: JsonValue | undefined) => void>();
  const Field = () => {
    const [value, setValue] = useState<JsonValue | undefined>([...start]);
    return (
      <PermissionMatrixField
        value={value}
        control={{ id: 'field', 'aria-invalid': undefined, 'aria-describedby': undefined, 'aria-required': undefined }}
        onChange={(next) => {
          sent(next);
          setValue(next);
        }}
      />
    );
  };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Field />
    </QueryClientProvider>,
  );
  await screen.findByRole('group', { name: 'Tags' });
  return {
    world,
    user: userEvent.setup(),
    chosen: () => {
      const value = sent.mock.lastCall?.[0];
      return all.filter(({ id }) => Array.isArray(value) && value.includes(id)).map(({ name }) => name);
    },
  };
}

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const everything = all.map(({ name }) => name);

test('ticking any action ticks its view, and taking the view away takes its actions', async () => {
  const { world, user, chosen } = await open(everything);
  await using _server = world;
  await user.click(box('Edit tags'));
  expect(chosen()).toEqual(['view_tags', 'update_tags']);
  await user.click(box('View tags'));
  expect(chosen()).toEqual([]);
});

test('a permission that the user does not hold cannot be ticked, and says why; nor one whose view they do not hold [AC5]', async () => {
  const { world, user, chosen } = await open(['view_tags', 'update_devices', 'create_tags'], idsOf('view_users', 'delete_users'));
  await using _server = world;
  expect([box('Delete tags').disabled, box('Edit devices').disabled, box('Create tags').disabled]).toEqual([true, true, false]);
  expect(screen.getAllByText('You do not have this permission yourself.').length).toBeGreaterThan(5);
  expect(screen.getByText('It requires a view permission that you do not have yourself.')).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: 'System administrator' })).toBeNull();
  // The whole category is what of it can be ticked; what was there already stays.
  await user.click(box('All of Tags'));
  expect(chosen()).toEqual(['view_tags', 'create_tags', 'view_users', 'delete_users']);
});

test('a search leaves the permissions that have it in their words', async () => {
  const { world, user } = await open(everything);
  await using _server = world;
  await user.type(screen.getByRole('searchbox'), 'shell command');
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Tags' })).toBeNull());
  const group = screen.getByRole('group', { name: 'Device actions' });
  expect(within(group).getAllByRole('checkbox')).toHaveLength(2);
});

test('a role that is only shown can be cut down to what it grants', async () => {
  render(<PermissionMatrix permissions={all} held={new Set(['view_tags'])} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(all.length);
  await userEvent.setup().click(screen.getByRole('switch', { name: 'Only granted permissions' }));
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([expect.stringContaining('View tags')]);
});

test('a copy of a role begins with its words and permissions; what sees everything becomes what sees the company and below', () => {
  const role = { name: 'read_only', title: 'Guest', description: 'Looks on.', scope: 'company', permission_id: [3, 5] };
  expect(copyOf(role)).toEqual({ title: 'Copy of Guest', description: 'Looks on.', scope: 'company', permission_id: [3, 5] });
  expect(copyOf({ ...role, scope: 'all', description: null })).toEqual({ title: 'Copy of Guest', scope: 'tree', permission_id: [3, 5] });
});

test('the address of a comparison names whole numbers, each once, and no more than four', () => {
  expect(readIds('3,1,3,x,-2,1.5,9,8,7')).toEqual([3, 1, 9, 8]);
  expect(readIds(null)).toEqual([]);
});
