import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startI18n } from '../i18n/index.ts';
import type { ApiError } from './api-error.ts';
import { createHttpClient } from './client.ts';
import { failureMessage } from './message.ts';
import type { MfaChallenge, Prompts } from './prompts.ts';
import { startTestServer, type Handler, type Reply } from './test-server.ts';

beforeAll(() => startI18n('en'));
afterEach(() => void vi.restoreAllMocks());

const done: Reply = { body: { success: true, data: { id: 7 } } };
const refuse = (status: number, code: string, rest: object = {}, message = code): Reply => ({
  status,
  body: { success: false, errors: [{ code, message }], ...rest },
});
const mfaRequired = (method = 'email'): Reply =>
  refuse(403, 'MFA_REQUIRED', {
    meta: { mfa_method: method, mfa_type: method, session_id: 5, session_uuid: 'u-5', provider_url: 'https://id.example/' },
  });

/** Enters these one after the other until one is taken; gives up when there are none left. */
async function enter(entries: string[], tryEntry: (entry: string) => Promise<ApiError | undefined>, wrong: string[]): Promise<boolean> {
  for (const entry of entries) {
    const error = await tryEntry(entry);
    if (!error) return true;
    wrong.push(error.code ?? error.kind);
  }
  return false;
}

async function makeWorld(handler: Handler, entries: string[]) {
  const server = await startTestServer(handler);
  const wrong: string[] = [];
  const challenges: MfaChallenge[] = [];
  const prompts: Prompts = {
    mfa: (challenge, tryCode) => {
      challenges.push(challenge);
      return enter(entries, tryCode, wrong);
    },
    password: vi.fn((tryPassword) => enter(entries, tryPassword, wrong)),
  };
  const client = createHttpClient({
    baseUrl: '/api',
    renew: () => Promise.resolve(true),
    onScreen: () => undefined,
    prompts: () => prompts,
  });
  return { ...server, client, wrong, challenges, prompts, bodies: () => server.seen.map(({ body }) => body) };
}

const hasCode = (body: string, code: string): boolean => body.includes(`"session_code":"${code}"`);

test('a second factor is asked for until it is right, and the same body goes out with it [F6]', async () => {
  await using world = await makeWorld(
    ({ body }) => (hasCode(body, '222') ? done : hasCode(body, '111') ? refuse(403, 'CONFIRMATION_FAILED') : mfaRequired()),
    ['111', '222'],
  );
  expect((await world.client.post('/tags', { name: 'ferry' })).data).toEqual({ id: 7 });
  expect(world.wrong).toEqual(['CONFIRMATION_FAILED']);
  expect(world.challenges).toEqual([{ method: 'email', sessionId: 5, sessionUuid: 'u-5', providerUrl: 'https://id.example/' }]);
  expect(world.bodies().map((body) => JSON.parse(body))).toEqual([
    { name: 'ferry' },
    { name: 'ferry', session_code: '111', session_id: 5, session_uuid: 'u-5' },
    { name: 'ferry', session_code: '222', session_id: 5, session_uuid: 'u-5' },
  ]);
});

test('a call without a body gets one for the code [F6]', async () => {
  await using world = await makeWorld(({ body }) => (body === '' ? mfaRequired('totp') : done), ['123456']);
  await world.client.delete('/users/7');
  expect(JSON.parse(world.bodies()[1] ?? '')).toEqual({ session_code: '123456', session_id: 5, session_uuid: 'u-5' });
});

test('an upload goes out again with its file and the code [F6]', async () => {
  await using world = await makeWorld(({ body }) => (body.includes('session_code') ? done : mfaRequired()), ['9']);
  const parts = new FormData();
  parts.append('file', new File(['firmware bytes'], 'rutx.bin'));
  await world.client.post('/files', parts);
  expect(world.bodies()[1]).toContain('firmware bytes');
  expect(world.bodies()[1]).toContain('name="session_uuid"\r\n\r\nu-5');
});

test('giving up the code ends the call as cancelled, and nothing is sent again [F6]', async () => {
  await using world = await makeWorld(() => mfaRequired(), []);
  await expect(world.client.post('/tags', {})).rejects.toMatchObject({ kind: 'cancelled' });
  expect(world.seen).toHaveLength(1);
});

test.each([
  ['Ask the pigeon.', 'Ask the pigeon.'],
  ['', 'Failed to connect to server'],
])('of an unknown method that the server names as "%s" people read "%s" [F6]', async (words, message) => {
  await using world = await makeWorld(() => refuse(403, 'MFA_REQUIRED', { meta: { mfa_method: 'pigeon' } }, words), []);
  const error: unknown = await world.client.post('/tags', {}).catch((reason: unknown) => reason);
  expect(failureMessage(error)).toBe(message);
  expect(world.challenges).toEqual([]);
});

test('423 asks for the password, sends it to the server and sends the same again; a wrong one asks again [F6]', async () => {
  let isConfirmed = false;
  await using world = await makeWorld(
    ({ path, body }) => {
      if (path !== '/api/password-confirmation') return isConfirmed ? done : refuse(423, 'PASSWORD_REQUIRED');
      isConfirmed = JSON.parse(body).password === 'right';
      return isConfirmed ? done : refuse(422, 'WRONG_PASSWORD');
    },
    ['wrong', 'right'],
  );
  await world.client.put('/users/7', { role: 2 });
  expect(world.wrong).toEqual(['WRONG_PASSWORD']);
  expect(world.seen.map(({ path, body }) => `${path} ${body}`)).toEqual([
    '/api/users/7 {"role":2}',
    '/api/password-confirmation {"password":"wrong"}',
    '/api/password-confirmation {"password":"right"}',
    '/api/users/7 {"role":2}',
  ]);
});

test('calls that meet 423 together share one question [F6]', async () => {
  let isConfirmed = false;
  await using world = await makeWorld(
    ({ path }) => {
      if (path === '/api/password-confirmation') isConfirmed = true;
      return isConfirmed ? done : refuse(423, 'PASSWORD_REQUIRED');
    },
    ['right'],
  );
  await Promise.all([world.client.get('/users/1'), world.client.get('/users/2'), world.client.delete('/users/3')]);
  expect(world.prompts.password).toHaveBeenCalledTimes(1);
});

test('a code and then the password: one after the other, and the code goes out with the last call [F6]', async () => {
  let isConfirmed = false;
  await using world = await makeWorld(
    ({ path, body }) => {
      if (path === '/api/password-confirmation') isConfirmed = true;
      if (!body.includes('session_code') && path !== '/api/password-confirmation') return mfaRequired();
      return isConfirmed ? done : refuse(423, 'PASSWORD_REQUIRED');
    },
    ['1'],
  );
  expect((await world.client.post('/companies', { name: 'x' })).data).toEqual({ id: 7 });
  expect(JSON.parse(world.bodies().at(-1) ?? '')).toMatchObject({ name: 'x', session_code: '1' });
});

test('without anybody to ask, the refusal goes to the caller', async () => {
  await using server = await startTestServer(() => mfaRequired());
  const client = createHttpClient({ baseUrl: '/api', renew: () => Promise.resolve(false), onScreen: () => undefined });
  await expect(client.post('/tags', {})).rejects.toMatchObject({ code: 'MFA_REQUIRED' });
  expect(server.seen).toHaveLength(1);
});

test('the progress of an upload is reported', async () => {
  await using world = await makeWorld(() => done, []);
  const progress: number[] = [];
  await world.client.post('/files', { text: 'x'.repeat(1000) }, { onUpload: (sent, total) => progress.push(sent / total) });
  expect(progress.at(-1)).toBe(1);
});
