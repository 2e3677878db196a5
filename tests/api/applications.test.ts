import { createHash, randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, send, type Answer, type Caller } from '../helpers/as.ts';
import { makeTree, PASSWORD } from '../helpers/factories.ts';
import { makeApplication } from '../helpers/token-factories.ts';
import { makeWorld } from '../helpers/world.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());
const tree = await makeTree(world);

type Application = Row<'applications'> & { secret: string };

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

const asked = (application: Application, more: Record<string, string> = {}) => ({
  response_type: 'code',
  client_id: application.client_id,
  redirect_uri: 'https://app.example/done',
  scope: 'devices:read',
  state: 'xyz',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  ...more,
});

/** Calls the token address as programs do: a form, without cookies. */
async function form(
  fields: Record<string, string>,
  { path = '//account/token', headers = {} } = {},
): Promise<Answer & { json: Record<string, unknown> }> {
  const answer = await send(world, 'POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
  return { ...answer, json: answer.text === '' ? {} : JSON.parse(answer.text) };
}

async function allow(caller: Caller, application: Application, more: Record<string, string> = {}): Promise<URL> {
  await caller.post('/password-confirmation', { password: PASSWORD });
  const answer = await caller.post('/account/authorize', { ...asked(application, more), is_allowed: true });
  expect(answer.errors).toEqual([]);
  return new URL(answer.data.location);
}

const exchange = (application: Application, code: string, more: Record<string, string> = {}) =>
  form({
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'https://app.example/done',
    client_id: application.client_id,
    client_secret: application.secret,
    code_verifier: verifier,
    ...more,
  });

async function connect(caller: Caller, application: Application) {
  const code = (await allow(caller, application)).searchParams.get('code') ?? '';
  return { code, ...((await exchange(application, code)).json as { access_token: string; refresh_token: string }) };
}

const renew = (application: Application, refreshToken: string) =>
  form({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: application.client_id, client_secret: application.secret });

const call = (token: string, path: string) => send(world, 'GET', path, { headers: { authorization: `Bearer ${token}` } });

describe('an application of others', () => {
  test('is registered by an administrator, shows its secret once, and is of no other company', async () => {
    const admin = await as(world, 'admin', { company: tree.middle });
    const body = {
      company_id: tree.middle.id,
      name: 'Home automation',
      redirect_uris: ['https://app.example/done', 'http://localhost/done', 'com.example.app:/done'],
      scopes: ['devices:read'],
      is_confidential: true,
    };
    const made = await admin.post('/applications', body);
    expect(made).toMatchObject({ status: 201, data: { client_secret: expect.stringMatching(/^[\w-]{43}$/), users_count: 0 } });
    expect((await admin.get(`/applications/${made.data.id}`)).data).toMatchObject({ client_secret: null, is_confidential: true });
    const stranger = await as(world, 'admin', { company: tree.sibling });
    expect((await stranger.get(`/applications/${made.data.id}`)).status).toBe(404);
    expect((await stranger.get('/applications')).data).toEqual([]);
    expect((await admin.post('/applications', { ...body, name: 'Home automation' })).codes).toEqual(['NAME_TAKEN']);
    for (const uri of [
      'http://app.example/done',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://app.example/#x',
      'https://u:p@app.example/',
      'nonsense',
    ])
      expect((await admin.post('/applications', { ...body, name: 'Another', redirect_uris: [uri] })).errors, uri).toMatchObject([
        { code: 'INVALID_FIELD', source: 'redirect_uris.0' },
      ]);
  });

  test('is called back at plain addresses only: no wildcards, backslashes, names before the host, fragments or other spellings [HN14]', async () => {
    const refusedUris = [
      'https://*.example/cb',
      'https://app.example/*',
      'https://app.example\\@evil.example/',
      'https:\\\\app.example/done',
      'https://name@app.example/done',
      'https://@app.example/done',
      'https://app.example/done#',
      'https://app.example/a/../done',
      'https://app.example/ done',
      'https://app.example:443/done',
      'https://аpp.example/done',
      'https:/app.example/done',
      'https://app.example/\tdone',
      'http://localhost@evil.example/',
      'http://127.1/done',
      'com.example.app:/done#x',
      'com.example.app://name@host/done',
    ];
    const admin = await as(world, 'admin', { company: tree.middle });
    const rest = { company_id: tree.middle.id, scopes: ['devices:read'] };
    for (const uri of refusedUris) {
      const answer = await admin.post('/applications', { ...rest, name: 'Refused', redirect_uris: ['https://app.example/ok', uri] });
      expect(answer.errors, uri).toMatchObject([{ code: 'INVALID_FIELD', source: 'redirect_uris.1' }]);
    }
    const taken = ['https://app.example', 'https://App.example/done?from=canopy', 'http://[::1]:8080/done', 'com.example.app:/done'];
    expect(await admin.post('/applications', { ...rest, name: 'Plain', redirect_uris: taken })).toMatchObject({ status: 201 });
  });

  test('asks a person, who sees what they would allow, and gets a token with no more than that', async () => {
    const application = await makeApplication(world, { company: tree.top, scopes: ['devices:read', 'tags:read', 'companies:delete'] });
    const person = await as(world, 'end_user', { company: tree.bottom });
    const shown = await person.get('/account/authorize', asked(application, { scope: 'devices:read companies:delete' }));
    expect(shown.data).toMatchObject({
      location: null,
      application: { name: application.name, redirect_host: 'app.example' },
      scopes: [
        { name: 'devices:read', permissions: ['view_devices'], is_held: true },
        { name: 'companies:delete', permissions: [], is_held: false },
      ],
    });
    const back = await allow(person, application, { scope: 'devices:read companies:delete' });
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual(['https://app.example/done', 'xyz']);
    const answer = await exchange(application, back.searchParams.get('code') ?? '');
    expect(answer).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 3600, scope: 'devices:read' } });
    expect(answer.headers['cache-control']).toBe('no-store');
    const token = String(answer.json['access_token']);
    expect((await call(token, '/devices')).status).toBe(200);
    expect((await call(token, '/tags')).status, 'was not asked for').toBe(403);
    expect((await person.get('/account/access-tokens')).data).toMatchObject([{ name: application.name, scopes: ['devices:read'] }]);
  });

  test('keeps access by refresh tokens that change, and loses it when an old one comes back', async () => {
    const application = await makeApplication(world, { company: tree.top });
    const person = await as(world, 'admin', { company: tree.middle });
    const first = await connect(person, application);
    await world.clock.jump(HOUR + MINUTE);
    expect((await call(first.access_token, '/devices')).status).toBe(401);
    const second = (await renew(application, first.refresh_token)).json as { access_token: string; refresh_token: string };
    expect((await call(second.access_token, '/devices')).status).toBe(200);
    expect((await renew(application, first.refresh_token)).json).toMatchObject({ error: 'invalid_grant', success: false });
    expect((await call(second.access_token, '/devices')).status).toBe(401);
    expect((await renew(application, second.refresh_token)).status).toBe(400);
    const unused = await connect(await as(world, 'admin', { company: tree.middle }), application);
    await world.clock.jump(31 * DAY);
    expect((await renew(application, unused.refresh_token)).json['error']).toBe('invalid_grant');
  });

  test('may end its token, and loses it with the person’s word, their place, or itself', async () => {
    const application = await makeApplication(world, { company: tree.top });
    const other = await makeApplication(world, { company: tree.top });
    const person = await as(world, 'admin', { company: tree.middle });
    const own = { client_id: application.client_id, client_secret: application.secret };
    const revoke = (fields: Record<string, string>) => form(fields, { path: '/account/token/revoke' });
    const ended = await connect(person, application);
    await revoke({ token: ended.refresh_token, client_id: other.client_id, client_secret: other.secret });
    expect((await call(ended.access_token, '/devices')).status, 'another application ends nothing').toBe(200);
    expect((await revoke({ token: ended.refresh_token, ...own, client_secret: 'guess' })).status).toBe(400);
    expect((await revoke({ token: ended.refresh_token, ...own })).status).toBe(200);
    expect((await call(ended.access_token, '/devices')).status).toBe(401);
    const taken = await connect(person, application);
    const [row] = (await person.get('/account/access-tokens')).data;
    await person.delete(`/account/access-tokens/${row.id}`);
    expect((await renew(application, taken.refresh_token)).status).toBe(400);
    const gone = await connect(person, application);
    await (await as(world, 'super_admin')).delete(`/applications/${application.id}`);
    expect((await call(gone.access_token, '/devices')).status).toBe(401);
  });

  test('without a secret proves itself by its verifier alone, at any port of the same machine', async () => {
    const application = await makeApplication(world, {
      company: tree.top,
      isConfidential: false,
      redirect_uris: ['http://127.0.0.1/done'],
    });
    const person = await as(world, 'admin', { company: tree.middle });
    const place = { redirect_uri: 'http://127.0.0.1:51234/done' };
    const code = (await allow(person, application, place)).searchParams.get('code') ?? '';
    const answer = await form({
      grant_type: 'authorization_code',
      code,
      ...place,
      client_id: application.client_id,
      code_verifier: verifier,
    });
    expect(answer.status).toBe(200);
  });
});

describe('nobody else gets a token', () => {
  test('a code works once, for a minute, with its address, verifier and application; a second use ends what the first one got', async () => {
    const application = await makeApplication(world, { company: tree.top });
    const other = await makeApplication(world, { company: tree.top });
    const person = await as(world, 'admin', { company: tree.middle });
    const code = async () => (await allow(person, application)).searchParams.get('code') ?? '';
    const refused = { status: 400, json: { error: 'invalid_grant' } };
    expect(await exchange(application, await code(), { code_verifier: 'x'.repeat(43) })).toMatchObject(refused);
    expect(await exchange(application, await code(), { redirect_uri: 'https://app.example/other' })).toMatchObject(refused);
    expect(await exchange(other, await code())).toMatchObject(refused);
    expect(await exchange(application, await code(), { client_secret: 'guess' })).toMatchObject({
      status: 400,
      json: { error: 'invalid_client' },
    });
    const late = await code();
    await world.clock.jump(MINUTE);
    expect(await exchange(application, late)).toMatchObject(refused);
    const used = await code();
    const token = String((await exchange(application, used)).json['access_token']);
    expect(await exchange(application, used)).toMatchObject(refused);
    expect((await call(token, '/devices')).status).toBe(401);
    expect(await form({ grant_type: 'password', client_id: application.client_id, client_secret: application.secret })).toMatchObject({
      json: { error: 'unsupported_grant_type' },
    });
  });

  test('nobody is sent to an address that is not registered, and only people of the application’s companies are asked', async () => {
    const application = await makeApplication(world, { company: tree.middle });
    const person = await as(world, 'admin', { company: tree.middle });
    for (const redirect_uri of [
      'https://evil.example/done',
      'https://app.example/done/../x',
      'https://app.example/done?x=1',
      'javascript:alert(1)',
    ])
      expect((await person.get('/account/authorize', asked(application, { redirect_uri }))).errors).toMatchObject([
        { source: 'redirect_uri' },
      ]);
    const stranger = await as(world, 'admin', { company: tree.sibling });
    const foreign = await stranger.get('/account/authorize', asked(application));
    const unknown = await stranger.get('/account/authorize', asked(application, { client_id: 'nothing' }));
    expect([foreign.status, foreign.errors]).toEqual([404, unknown.errors]);
    expect((await send(world, 'GET', '/account/authorize', { query: asked(application) })).status).toBe(401);
  });

  test('what an application asks wrongly is said to it, and so is no', async () => {
    const application = await makeApplication(world, { company: tree.top });
    const person = await as(world, 'admin', { company: tree.middle });
    const errorOf = async (more: Record<string, string>) =>
      new URL((await person.get('/account/authorize', asked(application, more))).data.location).searchParams.get('error');
    expect(await errorOf({ response_type: 'token' })).toBe('unsupported_response_type');
    expect(await errorOf({ code_challenge_method: 'plain' })).toBe('invalid_request');
    expect(await errorOf({ scope: 'users:delete' })).toBe('invalid_scope');
    await person.post('/password-confirmation', { password: PASSWORD });
    const no = await person.post('/account/authorize', { ...asked(application), is_allowed: false });
    expect(no.data.location).toBe('https://app.example/done?error=access_denied&state=xyz');
  });

  test('who signs out of an application is sent back only to an address that it is registered with', async () => {
    const application = await makeApplication(world, { company: tree.top });
    const leave = async (redirect_uri: string) =>
      (
        await (
          await as(world, 'admin', { company: tree.middle })
        ).post('/account/token/revoke', { client_id: application.client_id, redirect_uri })
      ).data;
    expect(await leave('https://app.example/done')).toEqual({ location: 'https://app.example/done' });
    expect(await leave('https://evil.example/')).toBeUndefined();
  });
});
