import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { loadUser } from '../../kernel/session/index.ts';
import AuthorizePage from './AuthorizePage.tsx';

let server: TestServer;
afterEach(() => server.close());

test.each([
  ['client_id', 'NOT_FOUND', 404, 'The application’s ID, lamp, is not registered'],
  ['redirect_uri', 'INVALID_FIELD', 400, 'send you back to http://evil.example/, which is not one of its registered addresses'],
])('a request of an application that is wrong at %s says what to do about it', async (source, code, status, words) => {
  const user = { id: 1, email: 'kari@example.org', company_name: 'Top', permissions: [] };
  server = await startTestServer(({ path }) =>
    path.startsWith('/user')
      ? { body: { success: true, data: user } }
      : { status, body: { success: false, errors: [{ code, source, message: 'x' }] } },
  );
  await loadUser();
  const request = '?response_type=code&client_id=lamp&redirect_uri=http%3A%2F%2Fevil.example%2F';
  await renderConsole(<AuthorizePage />, `/account/authorize${request}`);
  expect(await screen.findByText('Access cannot be allowed')).toBeTruthy();
  expect(screen.getByText(words, { exact: false })).toBeTruthy();
});
