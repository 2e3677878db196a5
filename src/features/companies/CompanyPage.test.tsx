import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { loadUser } from '../../kernel/session/index.ts';
import CompanyPage from './CompanyPage.tsx';

let server: TestServer;
afterEach(() => server.close());

test('a company that is not there has no tabs and no lists', async () => {
  const user = { id: 1, company: { id: 1, level: 1 }, scope: 'tree', permissions: ['view_companies', 'view_devices', 'view_tags'] };
  server = await startTestServer(({ path }) =>
    path === '/user'
      ? { body: { success: true, data: user } }
      : { status: 404, body: { success: false, errors: [{ code: 'NOT_FOUND', message: 'x' }] } },
  );
  await loadUser();
  await renderConsole(<CompanyPage id={9999} />, '/companies/9999/info', '/companies/9999/*');
  expect(await screen.findByText('There is nothing here')).toBeTruthy();
  expect(screen.queryAllByRole('navigation')).toEqual([]);
  expect(screen.queryByRole('link', { name: 'Devices' })).toBeNull();
});
